/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that the schedules of all ranks together do what their collective promises, whatever the timing:
 *
 *   form     every step in bounds, INPUT never written, nor a peer's memory; dependencies forward
 *            (check_form.c); posts are numbered through, and every AWAIT is of a post that there is and that
 *            its rank may await; who shows buffers is one whose beginning all await, or tells those that
 *            may reach them by messages (check_meetings.c)
 *   match    every send has its one receive, of the same size, told apart by peer and tag alone; numbers that
 *            are told are as many as are taken
 *   race     on each rank two steps that touch the same bytes, one writing, are ordered, and so are POST and
 *            AWAIT (check_race.c); and so are two that touch the same bytes of a peer's (check_reach.c)
 *   order    all steps complete even if no send completes before its receive is started (check_order.c)
 *   known    where ranks meet, every rank's end comes after every rank's beginning (check_known.c); and what
 *            is read of a peer's WINDOW, or of its buffers, is read after it was written and before it is
 *            overwritten, by posts and awaits between, of whatever ranks, and messages; buffers after their
 *            rank has begun, and before it ends (check_reach.c)
 *   value    from what the contract says of the beginning: nothing is read that was not written; what is
 *            compared is the number that was told; OUTPUT ends
 *            as the contract says, with each contribution exactly once, in rank order unless the operation
 *            commutes; and a result that several ranks have is combined in the same way on each, hence the
 *            same in floating point; where parts differ, nothing else of OUTPUT is written (check_value.c)
 *
 * Because of match, race and known the outcome does not depend on the order of execution, so that one is
 * enough. */
#ifndef TTI_PROOF_CHECKER_H
#define TTI_PROOF_CHECKER_H

#include "collectives/contract/contract.h"

typedef struct tti_checker tti_checker;

/* A checker, to be used again and again (it keeps its memory); NULL if memory is out. */
tti_checker *tti_checker_open(void);
void tti_checker_close(tti_checker *checker);

/* The shape as rank `rank` has it: in place where it has a choice, and with the tables that it knows. In a
 * shape of all ranks the tables that each has of its own stand one after the other, by rank, each with
 * offsets; so do neighbours. Of neighbours that all get the same of a rank, `send` has how much. */
tti_shape tti_checker_shape(enum tti_collective collective, const tti_shape *shape, int rank);

/* Checks shape->size schedules, and with them that of the last to come (schedule.h), as of one more rank that
 * has neither INPUT nor OUTPUT; shape->rank is not looked at. False: tti_checker_why() says what is wrong. */
bool tti_checker_prove(tti_checker *checker, enum tti_collective collective, const tti_shape *shape,
                       tti_schedule *const *schedules);
/* The same without what the executor needs of meetings by counting (schedule.h): for operations one after the
 * other, made one schedule. */
bool tti_checker_prove_steps(tti_checker *checker, enum tti_collective collective, const tti_shape *shape,
                             tti_schedule *const *schedules);
const char *tti_checker_why(const tti_checker *checker);

#endif

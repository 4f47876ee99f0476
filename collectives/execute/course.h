/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a schedule on shared memory, one after the other as they stand: that respects all that they
 * depend on, and as POST and AWAIT of a rank come one after the other anyway, nobody waits for what could
 * have been done before. So it takes neither lists nor memory, and no request; but for steps that reach
 * into others' buffers, or take SCRATCH, which are the larger ones: these are a run's, whose steps are made
 * here.
 *
 * This is for the case that all goes well. What has not come after a while, calls that differ, deaths and
 * drop-outs are the engine's, which goes on where a course stops (straight.c). Under the lock. */
#ifndef TTI_EXECUTE_COURSE_H
#define TTI_EXECUTE_COURSE_H

#include "collectives/execute/run.h"
#include "runtime/node/node_windows.h"

/* The caller fills in what stands above the line. */
typedef struct {
    tutti_comm *comm;
    tti_plan *plan;
    tti_run *run; /* NULL: it needs none */
    const tti_run_data *data;
    const char *call; /* the public name, under which it waits; NULL: it looks for a moment */
    /* -- */
    const tti_schedule *schedule; /* of the plan's two, the one whose steps are made; NULL: not known yet */
    tti_windows *windows;
    tti_windows_use use;
    uint64_t mark;  /* without TTI_MARK_OWN, by which ranks differ */
    uint64_t shows; /* the mark that the others see */
    char *space[TTI_SPACES];
    tti_node_window *own;
    bool shown; /* the others see which call this is */
} tti_course;

/* Whether a plan's steps can be made one after the other: they pass no messages, nor slots for these. */
static inline bool tti_course_fits(const tti_plan *plan)
{
    return plan->windows != NULL && plan->schedule->messages == 0 && plan->schedule->need_count == 0 &&
           tti_plan_reaching(plan)->messages == 0;
}
/* Takes the operation's number and windows. */
void tti_course_begin(tti_course *course);
/* *made becomes the number of steps that have been made. False: they are not all, and the engine is to go on.
 */
bool tti_course_pass(tti_course *course, int *made);
/* All have been made: ends the operation. */
void tti_course_end(tti_course *course);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine: executes one rank's schedule over p2p. Under the lock.
 *
 * A step starts when its last predecessor completes. Messages are operations embedded in the run; what
 * completes at once is handled by a loop, not by recursion. Several runs of a communicator may be under way;
 * the number of the collective on the communicator, in the tag, keeps their messages apart. */
#ifndef TTI_EXECUTE_RUN_H
#define TTI_EXECUTE_RUN_H

#include "collectives/contract/call_record.h"
#include "collectives/execute/plan.h"
#include "collectives/execute/run_mark.h"
#include "collectives/execute/windows.h"
#include "runtime/p2p/p2p.h"
#include "runtime/request/request.h"

typedef struct tti_run tti_run;

/* A run of the plan at rest, spare or new; takes over the caller's reference to the plan. A nonblocking one
 * (`kind` not NULL) is a request. TUTTI_ERR_NO_MEMORY (the reference is dropped). */
int tti_run_open(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, const tti_request_kind *kind,
                 tti_run **run);
tutti_request *tti_run_request(tti_run *run);
tutti_comm *tti_run_comm(const tti_run *run);
/* Before the start of a run that is no request: `over` is called at its end, with its error, and closes it.
 */
void tti_run_then(tti_run *run, void (*over)(tti_run *run, int error, void *context), void *context);
/* Begins to compare `mine`, a call of that shape, with the calls of all ranks. Ends in tti_run_compared(),
 * perhaps before this returns; after an error it does not. It takes so many numbers of collectives, whether
 * or not it needs all, before the run's own: ranks whose calls differ stay in step. */
#define TTI_RUN_COMPARE_NUMBERS 3
typedef int tti_run_compare_fn(tti_run *run, const tti_call_record *mine, const tti_shape *shape);
/* At each start of a request's run, before its steps, the calls are compared. */
void tti_run_compare_by(tti_run *run, tti_run_compare_fn *compare);
/* The run may go on, or not. */
void tti_run_compared(tti_run *run, int code);
/* Starts it; an error means that it is not under way. */
int tti_run_start(tti_run *run);
/* Waits for a started run that is no request, and returns its error, with the detail under `call`'s name. */
int tti_run_wait(tti_run *run, const char *call);
/* Whom a started run waits for, as tti_awaits_fn (runtime/progress/watched.h). */
void tti_run_awaits(const void *run, tti_awaited *awaited);
/* 0, or why no collective may begin. */
int tti_run_may_start(tutti_comm *comm);

/* What has been done of an operation on windows that a run takes over. */
typedef struct {
    tti_run *run; /* what it was begun with; NULL: with none */
    tti_windows_use use;
    bool shown;                   /* it has entered, or posted */
    const tti_schedule *schedule; /* whose steps; NULL: it is not known yet which of the two all take */
    int steps;                    /* the first so many have been made */
} tti_run_begun;
/* Goes on with a blocking call, of which the caller has a reference to the plan, to its end. Its run is
 * closed by the caller. */
int tti_run_take_over(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, const tti_run_begun *begun,
                      const char *call);
/* Puts a run that is not under way to rest, as its plan's spare if there is none. */
void tti_run_close(tti_run *run);
/* What a run of the plan, whose schedules are there, takes of memory, but for scratch memory. */
size_t tti_run_bytes(const tti_plan *plan);
/* Frees a spare one; NULL is nothing. */
void tti_run_free(tti_run *run);

/* This rank cannot take part in a collective that the others wait in, for `code`, which it returns: tells
 * them, and ends the communicator for collectives at every rank. */
int tti_run_drop_out(tutti_comm *comm, int code);
/* The communicator has been revoked: ends its runs. */
void tti_run_revoke(tutti_comm *comm);
/* 0, or the error, with its detail, by which a rank has dropped out. */
int tti_run_check_whole(const tutti_comm *comm);

/* Tells the engine from p2p about failed ranks; at init, after p2p is open. */
void tti_run_watch(void);

#endif

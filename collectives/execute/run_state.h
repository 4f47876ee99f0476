/* SPDX-License-Identifier: BSD-3-Clause */
/* A run from the inside. Each file below stands on those before it alone: what ends a step, or a run, knows
 * nothing of how steps are done, but has that from the run. */
#ifndef TTI_EXECUTE_RUN_STATE_H
#define TTI_EXECUTE_RUN_STATE_H

#include "collectives/execute/comm_cache.h"
#include "collectives/execute/run.h"
#include "collectives/execute/windows.h"

/* Tags have so many bits of a collective's number: those of one meet those of an older one that is still
 * under way only if it is that many numbers old, and then it cannot be started (run.c). */
#define TTI_RUN_SEQUENCE_MASK 0x7fffU

typedef struct {
    tti_p2p_op op;
    tti_run *run;
    int step;
    bool under_way;
} tti_run_message;

/* What a run on shared memory may wait for but another rank's post. */
enum {
    TTI_RUN_FREE_WINDOWS = -1, /* before its steps: that its windows are free */
    TTI_RUN_CHOICE = -2,       /* before its steps: that it is known which of its schedules all take */
    TTI_RUN_WRITERS = -3,      /* after it has failed: that no other rank writes any more */
    TTI_RUN_NEWS = -4 /* where another rank has withdrawn what it had shown: to hear why, which ends it */
};

/* A run on shared memory: which operation of the communicator's windows it is, and what it waits for. */
typedef struct {
    tti_windows *windows; /* NULL: the run passes messages alone */
    tti_windows_use use;
    uint64_t mark;    /* of the call, as others show theirs */
    tti_link waiting; /* among the runs that wait for other ranks' posts, or for their windows */
    int step;         /* the AWAIT under way, or below 0 what else it waits for */
    int place;        /* that is looked at next, of the node's ranks */
    bool asked;       /* the rank there has been asked to write no more, */
    bool stopped;     /* and has said that it does not */
    int64_t looked;   /* rough ns: when it was looked last whether the others make this call; 0: not yet */
} tti_run_meeting;

/* A step in another rank's buffer, by the kernel or messages (run_reach.c). */
typedef struct {
    int step;          /* under way by messages; -1: none */
    size_t done;       /* bytes of the step under way that are here, or there, by whole pieces */
    size_t piece;      /* bytes behind those that are asked for, or sent, by messages */
    size_t piece_left; /* of these: not here yet, or not known to be there */
    char *room;        /* for what is combined once it is here; NULL until then */
} tti_run_asking;

struct tti_run {
    tutti_request base; /* first; a run that is no request uses only state and status of it */
    tti_link active;    /* among the runs under way */
    tti_plan *plan;
    const tti_schedule *schedule; /* of the plan's two, the one that is executed */
    tutti_comm *comm;
    tti_run_data data;
    char *space[TTI_SPACES];
    char *scratch;
    uint32_t sequence;
    tti_run_meeting meeting;
    tti_run_asking asking;
    int steps_left;  /* not complete */
    int outstanding; /* messages under way */
    int started;     /* messages started, the first of `messages` */
    int error;
    bool is_request, advancing, given_up;
    bool held;                                            /* nothing may be started yet */
    void (*execute)(tti_run *run, int step);              /* tti_run_execute() */
    void (*stop)(tti_run *run);                           /* tti_run_stop() */
    void (*over)(tti_run *run, int error, void *context); /* NULL: nobody is told */
    void *over_context;
    tti_run_compare_fn *compare; /* NULL: the ranks' calls are not compared */
    int *waits;                  /* by step: predecessors that are not complete */
    int *ready;                  /* steps that may start, ready_begin … ready_end - 1; each is here once */
    int ready_begin, ready_end;
    tti_run_message messages[]; /* in the order in which they are started */
};

static inline const tti_step *tti_run_step(const tti_run *run, int index)
{
    return &run->schedule->steps[index];
}
/* Whether it shows room for what others PUT there. */
static inline bool tti_run_shows_room(const tti_run *run)
{
    return run->meeting.windows != NULL && run->plan->reaches &&
           tti_plan_reaching(run->plan)->shown[TTI_OUTPUT].written;
}
/* NULL: a blocking call that needs none. */
static inline enum tti_call_form tti_run_form(const tti_run *run)
{
    if (run == NULL || !run->is_request) return TTI_FORM_BLOCKING;
    return run->base.persistent ? TTI_FORM_PERSISTENT : TTI_FORM_NONBLOCKING;
}
/* The communicator's number of the collective that the run is. */
static inline uint32_t tti_run_number(const tti_run *run)
{
    return run->comm->sequence - ((run->comm->sequence - run->sequence) & TTI_RUN_SEQUENCE_MASK);
}
/* By how many numbers the run is older than that number of a collective of its communicator. */
static inline uint32_t tti_run_age(const tti_run *run, uint32_t number)
{
    return ((number - run->sequence - 1) & TTI_RUN_SEQUENCE_MASK) + 1;
}
/* The windows of a communicator, whether or not the call is made there; NULL: it has none. */
static inline tti_windows *tti_run_windows(const tutti_comm *comm)
{
    const tti_comm_cache *cache = comm->collectives;
    return cache != NULL && cache->windows != NULL && cache->windows->set >= 0 ? cache->windows : NULL;
}

/* -- run_data.c: the bytes that steps take, and where they go -- */
/* A byte of this rank's own. */
static inline char *tti_run_own(const tti_run *run, int space, size_t offset)
{
    return tti_windows_own(run->space, &run->meeting.use, space, offset);
}
/* The first byte that a step reads of its own. */
static inline const char *tti_run_from(const tti_run *run, const tti_step *step)
{
    return tti_run_own(run, step->from_space, step->from);
}
/* The first byte that a step writes of its own. */
static inline char *tti_run_to(const tti_run *run, const tti_step *step)
{
    return tti_run_own(run, step->to_space, step->to);
}
/* The first byte that a step reads of another rank's window. */
const char *tti_run_source(const tti_run *run, const tti_step *step);
/* tti_step_reached(), at the place that a number says as well. */
int tti_run_reached(const tti_run *run, const tti_step *step, uint64_t *at);
/* Does `bytes` of a COPY or REDUCE, those behind the first `done`; they are at `from`. */
void tti_run_apply(const tti_run *run, const tti_step *step, const char *from, size_t done, size_t bytes);
/* How many bytes are asked for, or copied before they are combined, at a time: a piece. */
size_t tti_run_piece(const tti_run *run);

/* -- run_differs.c: ranks that meet in different calls -- */
/* Whether a rank of this one's node has told another call than the run's under its number. The error is set
 * then. */
bool tti_run_find_other_call(const tti_run *run);
/* The rank at that place makes another call, of which this is the mark: returns the error, which names both.
 */
int tti_run_explain_other(const tti_run *run, const tti_windows *windows, int place, uint64_t mark);

/* -- run_show.c -- */
/* Writes down what this rank shows of its own, and adds to its mark in what ways that can be reached. */
void tti_run_show(tti_run *run);

/* -- run_order.c: which steps may be done next, and the end -- */
/* Begins with the steps of that schedule of the plan's, of which the first `made` have been made. */
void tti_run_take_schedule(tti_run *run, const tti_schedule *schedule, int made);
/* A step has been done. */
void tti_run_complete_step(tti_run *run, int step);
/* Starts whatever may start; ends the run once nothing is left, or once it failed and nothing is under way.
 */
void tti_run_advance(tti_run *run);

/* -- run_failure.c: what is under way, and deaths -- */
extern tti_link tti_runs; /* those under way */
/* Counts the run as under way, until it is taken off the list `run->active` is in. */
void tti_run_list(tti_run *run);
/* The run under way that is this operation on the windows of that communicator. NULL: there is none. */
tti_run *tti_run_on(uint64_t context, const tti_windows_use *use);
/* By how many numbers the oldest of the other runs under way on its communicator is older than a run of that
 * number. 0: there is none. */
uint32_t tti_run_oldest_age(const tti_run *newer, uint32_t number);
/* A run that is not among those under way ends, as a rank of its communicator is lost: tells those that wait
 * for it, which may not have lost that rank. */
void tti_run_tell_of_loss(const tti_run *run);
/* Others may no longer read in what the run has shown. */
void tti_run_withdraw(const tti_run *run);
/* A death ends the run: its status, if it names none yet, names a rank of the communicator that is known to
 * be lost, or the given one (-1: nobody knows). What ended may have been a living rank's, which gave it up
 * for a death that it had told of before. */
void tti_run_blame(tti_run *run, int rank);
/* Which rank of the job that is, if it is lost; else -1. */
int tti_run_blamed(const tti_run *run);
/* Starts nothing more, withdraws what can be withdrawn; the run ends when the rest has. */
void tti_run_fail(tti_run *run, int error);
/* At init: deaths, and what others tell of them, end runs. */
void tti_run_watch_failures(void);

/* -- run_drop_out.c: ranks that cannot take part -- */
/* tti_run_fail(), of which the others hear: of a death by themselves, of anything else from this rank. */
void tti_run_fail_here(tti_run *run, int error);
/* The same where that member has departed without taking part: TUTTI_ERR_STATE, or after a death
 * TUTTI_ERR_PEER_FAILED. */
void tti_run_fail_without(tti_run *run, int member, int code);
/* A communicator has been made, or was not: what was heard of drop-outs there before is noted. */
void tti_run_settle_drop_outs(void);
/* tti_run_find_other_call() of any run under way on the communicator. */
bool tti_run_find_other_call_on(const tutti_comm *comm);
/* The error that this thread has just been told is why the communicator is over for collectives. */
void tti_run_keep_detail(tutti_comm *comm);
/* At init: drop-outs that others tell of end runs. */
void tti_run_watch_drop_outs(void);

/* -- run_posts.c: what a run on shared memory sees of the other ranks -- */
/* Whether the posts that an AWAIT waits for have been made. A failure ends the run. */
bool tti_run_have_posted(tti_run *run, int step);
/* *reach: the ways (TTI_REACH_…, as bits of a mark) in which every buffer that is shown can be reached.
 * False: a rank that shows some has not begun yet, so it is not known. */
bool tti_run_find_reach(tti_run *run, uint64_t *reach);
/* Whether the rank at that place has made its last post; the run shows room for what others PUT. */
bool tti_run_is_through(const tti_run *run, int place);
/* Whom the run waits for, as tti_awaits_fn. */
void tti_run_awaits_posts(const tti_run *run, tti_awaited *awaited);
/* A rank that does not come to the windows shows nothing there: neither that it makes another call nor that
 * it has left. A run that waits for long looks for that elsewhere now and again, which may end it. */
void tti_run_look_around(tti_run *run);

/* -- run_writers.c: who may write into the room that a failed run shows -- */
/* Whether living ranks may. */
bool tti_run_may_be_written(const tti_run *run);
/* Asks them to stop, one after the other. True: none writes any more. */
bool tti_run_stop_writers(tti_run *run);
/* At init: who is asked answers. */
void tti_run_writers_register(void);

/* -- run_window.c: runs on shared memory -- */
/* Begins the operation, or goes on with what has been `begun` of it (NULL: nothing). The run is held until
 * its windows are free. */
void tti_run_meet(tti_run *run, const tti_run_begun *begun);
/* Makes a post. */
void tti_run_post(tti_run *run, int step);
/* Begins to wait for posts, and completes the step when they have been made. */
void tti_run_await(tti_run *run, int step);
/* What the run would read has been withdrawn: it waits for the news why. */
void tti_run_await_news(tti_run *run);
/* A failed run loses one thing that it waited for: it ends in later progress. */
void tti_run_end_later(tti_run *run);
/* A failed run waits until those that may write into its buffer have stopped, or are gone: only then the
 * buffer is its owner's again. */
void tti_run_await_writers(tti_run *run);

/* -- run_reach_messages.c: reads and writes in other ranks' buffers by messages -- */
/* Asks for the next piece of the step under way, or sends it. */
int tti_run_ask(tti_run *run);
/* Forgets that step, if there is one. */
void tti_run_stop_asking(tti_run *run);
/* At init: such messages are answered. */
void tti_run_reach_register(void);

/* -- run_reach.c: the same where they are mapped, or by the kernel's copy, and else by messages -- */
/* Does a step that reaches there. False: it is not over at once, or the run has failed. */
bool tti_run_reach(tti_run *run, int index);
/* The same without messages. False: what is left of the step is for tti_run_reach(). */
bool tti_run_reach_now(tti_run *run, int index);

/* -- run_steps.c: what the steps of a schedule do -- */
/* Does a step, and completes it, at once or later. */
void tti_run_execute(tti_run *run, int index);
/* Withdraws what a run that failed has under way. */
void tti_run_stop(tti_run *run);

/* -- run.c -- */
/* Nothing has been done yet. */
void tti_run_reset(tti_run *run);
/* Goes on with what has been begun, `begun->run` being NULL or that run; an error means that it is not under
 * way. Where another rank may still write, an operation that cannot go on ends as any other that fails. */
int tti_run_go_on(tti_run *run, const tti_run_begun *begun);
/* Opens a run whose steps are made by the caller, while others may ask it for what it shows: it counts as
 * under way until it is taken off its list. The caller keeps its reference to the plan. */
int tti_run_begin(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, tti_run **run);

#endif

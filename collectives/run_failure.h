/* SPDX-License-Identifier: BSD-3-Clause */
/* A run from the inside, and what happens to it when a rank fails. */
#ifndef TTI_COLLECTIVES_RUN_FAILURE_H
#define TTI_COLLECTIVES_RUN_FAILURE_H

#include "collectives/run.h"

typedef struct {
    tti_p2p_op op;
    tti_run *run;
    int step;
    bool under_way;
} tti_run_message;

struct tti_run {
    tutti_request base; /* first; of a run that is no request only state and status are used */
    tti_link active;    /* among the runs under way */
    tti_plan *plan;
    tutti_comm *comm;
    tti_run_data data;
    char *space[TTI_SPACES];
    char *scratch;
    uint32_t sequence;
    int left;        /* steps that are not complete */
    int outstanding; /* messages under way */
    int started;     /* messages started, the first of `messages` */
    int error;
    bool is_request, advancing, given_up;
    void (*over)(tti_run *run, int error, void *context); /* NULL: nobody is told */
    void *over_context;
    int *waits; /* by step: predecessors that are not complete */
    int *ready; /* steps that may start, ready_begin … ready_end - 1; each is here once */
    int ready_begin, ready_end;
    tti_run_message messages[]; /* in the order in which they are started */
};

/* Counts the run as under way, until it is taken off the list `run->active` is in. */
void tti_run_list(tti_run *run);
/* A communicator has been made, or was not: what was heard of drop-outs there before is noted. */
void tti_run_settle_drop_outs(void);
/* Starts nothing more, withdraws what can be withdrawn; the run ends when the rest has. */
void tti_run_fail(tti_run *run, int error);

#endif

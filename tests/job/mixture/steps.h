/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a mixture: collectives, persistent ones again, communicators made and freed, messages, RMA. */
#ifndef TESTS_JOB_STEPS_H
#define TESTS_JOB_STEPS_H

#include "tests/job/mixture/messages.h"

/* Starts what is prepared, or has not begun; both tell whether it is under way. */
static inline void call_started(struct call *c, int code)
{
    c->active = code == 0 && c->form != BLOCKING;
    if (code != 0 || c->form == BLOCKING) call_finished(c, code, NULL);
}

/* A call in a place of the table; what was there is completed first. */
static inline void step_call(uint64_t draw)
{
    struct call *c = &calls[draw_below(&draw, CALLS)];
    call_end(c);
    if (draw_below(&draw, 70) == 0) favourite = group_draw(&draw);
    if (groups[favourite].n == 0) favourite = 0;
    c->group = draw_below(&draw, 4) ? favourite : group_draw(&draw);
    const struct group *g = &groups[c->group];
    c->comm = g->comm;
    c->n = g->n;
    c->mine = g->mine;
    call_draw(c, &draw, g->has_edges);
    if (c->mine < 0) return;
    for (int i = 0; i < g->n; i++)
        c->excused |= c->mortal[i] = (unsigned char)is_doomed(g->members[i]);
    call_allocate(c);
    if (c->form != PERSISTENT) call_fill(c);
    const int code = call_call(c);
    if (c->form != PERSISTENT || code != 0) call_started(c, code);
}

/* Starts a persistent one, for the first time or again. */
static inline void step_start(uint64_t draw)
{
    const int first = (int)draw_below(&draw, CALLS);
    struct call *c = NULL;
    for (int i = 0; i < CALLS && c == NULL; i++)
        if (calls[(first + i) % CALLS].form == PERSISTENT) c = &calls[(first + i) % CALLS];
    if (c == NULL || c->mine < 0 || c->request == NULL) return;
    call_complete(c);
    c->salt += (uint64_t)step;
    call_fill(c);
    call_started(c, draw % 2 ? tutti_start(c->request) : tutti_startall(1, &c->request));
}

/* All ranks know every communicator, the caller's handle is for its members. */
static inline struct group *group_add(const struct group *from, const int places[], int n, tutti_comm *comm)
{
    struct group *g = groups;
    while (g->n != 0)
        g++;
    *g = (struct group){.n = n, .mine = -1, .comm = comm};
    for (int i = 0; i < n; i++) {
        g->members[i] = from->members[places[i]];
        if (g->members[i] == rank) g->mine = i;
    }
    EXPECT(from->mine < 0 || (g->mine < 0 ? comm == NULL : tutti_comm_rank(comm) == g->mine));
    return g;
}

static inline void group_dup(const struct group *from)
{
    int places[MOST_RANKS];
    tutti_comm *comm = NULL;
    for (int i = 0; i < from->n; i++)
        places[i] = i;
    if (from->mine >= 0) OK(tutti_comm_dup(from->comm, &comm));
    group_add(from, places, from->n, comm)->has_edges = from->has_edges;
}

/* The same ranks, with neighbours. */
static inline void group_graph(const struct group *from)
{
    int places[MOST_RANKS], sources[EDGES], targets[EDGES];
    tutti_comm *comm = NULL;
    for (int i = 0; i < from->n; i++)
        places[i] = i;
    for (int j = 0; j < EDGES && from->mine >= 0; j++) {
        targets[j] = (from->mine + call_step(j)) % from->n;
        sources[j] = (from->mine + EDGES * from->n - call_step(j)) % from->n;
    }
    if (from->mine >= 0) OK(tutti_comm_graph(from->comm, sources, NULL, EDGES, targets, NULL, EDGES, &comm));
    group_add(from, places, from->n, comm)->has_edges = 1;
}

/* Interleaved parts, forwards or backwards. */
static inline void group_split(const struct group *from, int parts, int backwards)
{
    tutti_comm *comm = NULL;
    if (from->mine >= 0)
        OK(tutti_comm_split(from->comm, from->mine % parts, backwards ? -from->mine : 0, &comm));
    for (int part = 0; part < parts; part++) {
        int places[MOST_RANKS], n = 0;
        for (int i = part; i < from->n; i += parts)
            places[n++] = i;
        for (int i = 0; backwards && i < n / 2; i++) {
            const int swapped = places[i];
            places[i] = places[n - 1 - i];
            places[n - 1 - i] = swapped;
        }
        group_add(from, places, n, from->mine >= 0 && from->mine % parts == part ? comm : NULL);
    }
}

/* Some, from the last to the first. */
static inline void group_create(const struct group *from, uint64_t chosen)
{
    int places[MOST_RANKS], n = 0;
    tutti_comm *comm = NULL;
    for (int i = from->n - 1; i >= 0; i--)
        if (chosen >> i % 64 & 1) places[n++] = i;
    if (n == 0) places[n++] = from->n - 1;
    if (from->mine >= 0) OK(tutti_comm_create(from->comm, places, n, &comm));
    group_add(from, places, n, comm);
}

static inline void step_make_group(uint64_t draw)
{
    const struct group *from = &groups[group_draw(&draw)];
    const int room = group_limit - group_count();
    int parts = 1 + (int)draw_below(&draw, 3);
    if (parts > from->n) parts = from->n;
    if (room < parts || group_excused(from))
        return; /* a communicator that some have and some not helps nobody */
    switch (draw_below(&draw, 4)) {
    case 0: group_dup(from); break;
    case 1: group_graph(from); break;
    case 2: group_split(from, parts, (int)draw_below(&draw, 2)); break;
    default: group_create(from, job_random(&draw));
    }
}

/* Collectives under way go on without it; persistent ones could not be started any more, and messages not be
 * received. */
static inline void group_free(int number)
{
    struct group *g = &groups[number];
    for (int k = 0; k < CALLS; k++)
        if (calls[k].group == number && calls[k].form == PERSISTENT) call_end(&calls[k]);
    for (int k = 0; k < MESSAGES; k++)
        if (messages[k].group == number) message_end(&messages[k]);
    if (g->comm != NULL) OK(tutti_comm_free(&g->comm));
    g->n = 0;
}

static inline void step_free_group(uint64_t draw)
{
    const int number = group_draw(&draw);
    if (number != 0 && group_count() > group_limit * 3 / 4) group_free(number);
}

/* Adds one to the first word of another rank's window, and keeps a number in the word that is the caller's
 * there. */
static inline void step_rma(uint64_t draw)
{
    const int target = (rank + (int)draw_below(&draw, (uint64_t)size)) % size;
    const int64_t one = 1, number = step;
    const size_t place = (size_t)(1 + rank) * sizeof number;
    int64_t back = -1;
    int code = tutti_accumulate(window, &one, 1, TUTTI_INT64, TUTTI_SUM, target, 0, NULL);
    if (code == 0) code = tutti_put(window, &number, sizeof number, target, place, NULL);
    if (code == 0) code = tutti_flush(window, target);
    if (code == 0) code = tutti_get(window, &back, sizeof back, target, place, NULL);
    accumulated++;
    EXPECT(code == 0 || (code == TUTTI_ERR_PEER_FAILED && may_be_dead(target)));
    EXPECT(code != 0 || back == number);
}

static inline void take_step(void)
{
    const uint64_t draw = job_random(&common), what = draw_below(&common, 100);
    if (!may_be_dead(rank)) alarm(PATIENCE_S); /* a victim's clock is for its end */
    step++;
    if (what < 62)
        step_call(draw);
    else if (what < 80)
        step_start(draw);
    else if (what < 83)
        step_make_group(draw);
    else if (what < 85)
        step_free_group(draw);
    else if (what < 93)
        step_message(draw);
    else
        step_rma(draw);
    for (uint64_t i = draw_below(&own, 4); i > 0; i--)
        complete_as_i_like();
    message_test(&messages[draw_below(&own, MESSAGES)]);
}

/* What is under way when nothing moves any more; ends the rank, and with it the job. */
static inline void mixture_stuck(int signal)
{
    (void)signal;
    fprintf(stderr, "no progress within %d s\n", PATIENCE_S);
    mixture_tell();
    for (int k = 0; k < CALLS; k++)
        if (calls[k].active) call_tell(&calls[k]);
    for (int k = 0; k < MESSAGES; k++)
        if (messages[k].sent != NULL) message_tell(&messages[k]);
    _exit(1);
}

/* Begins a mixture: the world, as many more communicators of it as asked for, a window. */
static inline void mixture_begin(uint64_t with_seed, long of_steps, int limit, int at_first)
{
    struct group all = {.n = size, .mine = rank, .comm = world};
    EXPECT(size <= MOST_RANKS && limit <= MOST_GROUPS && of_steps >= 0);
    signal(SIGALRM, mixture_stuck);
    seed = common = with_seed;
    own = with_seed * 7919 + (uint64_t)rank + 1;
    step = favourite = 0;
    steps = of_steps;
    group_limit = limit;
    for (int i = 0; i < size; i++)
        all.members[i] = i;
    groups[0] = all;
    for (int i = 1; i < at_first; i++)
        i % 2 != 0 ? group_graph(&groups[0]) : group_dup(&groups[0]);
    for (int k = 0; k < CALLS; k++)
        calls[k] = (struct call){.mine = -1};
    window_memory = calloc((size_t)size + 1, sizeof *window_memory);
    EXPECT(window_memory != NULL);
    accumulated = 0;
    OK(tutti_op_create(number_compose_all, 0, NULL, &number_map_op));
    OK(tutti_window_create(world, window_memory, ((size_t)size + 1) * sizeof *window_memory, &window));
}

static inline void mixture_end(void)
{
    for (int k = 0; k < CALLS; k++)
        call_end(&calls[k]);
    for (int k = 0; k < MESSAGES; k++)
        message_end(&messages[k]);
    for (int i = 1; i < group_limit; i++)
        if (groups[i].n > 0) group_free(i);
    OK(tutti_op_free(&number_map_op));
}

/* Leaves the job, and only then lets go of the memory of what was given up. */
static inline int mixture_close(void)
{
    const int code = tutti_finalize();
    for (int i = 0; i < given_up_count; i++) {
        free(given_up[i].send);
        free(given_up[i].recv);
    }
    alarm(0);
    return code;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A random mixture of operations under way at once. Two generators: `common` is the same at all ranks and
 * draws what is done, and on which communicator; `own` differs and draws when and how what was started is
 * completed.
 *
 * Every rank takes every step, also those whose communicator it is not in. What a rank waits for was started
 * by all in earlier steps, so a rank that waits for ever has found an error of the library's. */
#ifndef TESTS_JOB_MIXTURE_H
#define TESTS_JOB_MIXTURE_H

#include <signal.h>
#include <unistd.h>

#include "tests/job/mixture/call.h"
#include "tests/patience.h"

#define MOST_GROUPS 48
#define MOST_DOOMED 3
#define CALLS 150
#define MOST_GIVEN_UP                                                                                        \
    1000 /* handles given up by a rank in a mixture: their memory stays until the job's end */

/* A communicator as all ranks know it. Number 0 is the world. */
struct group {
    int n, members[MOST_RANKS]; /* 0: free */
    int mine;
    int has_edges;    /* it was made with neighbours (call_step()) */
    tutti_comm *comm; /* of members alone */
};

static struct group groups[MOST_GROUPS];
static struct call calls[CALLS];
static struct call given_up[MOST_GIVEN_UP];
static int group_limit, given_up_count, favourite;
static uint64_t seed, common, own;
static long step, steps;
static tutti_window *window;
static int64_t *window_memory, accumulated;
static int doomed[MOST_DOOMED], doomed_count; /* the ranks that will die */
static int deadly;                            /* from now on they may be dead */

/* What was drawn, for whoever wants to repeat it. */
static inline void mixture_tell(void)
{
    fprintf(stderr, "rank %d: in step %ld of %ld, seed %llu\n", rank, step, steps, (unsigned long long)seed);
}

#define RIGHT(condition, call)                                                                               \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            mixture_tell();                                                                                  \
            call_tell(call);                                                                                 \
            EXPECT(condition);                                                                               \
        }                                                                                                    \
    } while (0)

static inline uint64_t draw_below(uint64_t *state, uint64_t limit)
{
    return job_random(state) % limit;
}

static inline int group_has(const struct group *g, int r)
{
    for (int i = 0; i < g->n; i++)
        if (g->members[i] == r) return 1;
    return 0;
}

static inline int is_doomed(int r)
{
    for (int i = 0; i < doomed_count; i++)
        if (doomed[i] == r) return 1;
    return 0;
}

/* Whether it may be dead. */
static inline int may_be_dead(int r)
{
    return deadly && is_doomed(r);
}

/* Whether a rank of it will die; and whether a call on it may end with that. */
static inline int group_is_mortal(const struct group *g)
{
    for (int i = 0; i < doomed_count; i++)
        if (group_has(g, doomed[i])) return 1;
    return 0;
}
static inline int group_excused(const struct group *g)
{
    return deadly && group_is_mortal(g);
}

static inline int group_count(void)
{
    int count = 0;
    for (int i = 0; i < group_limit; i++)
        count += groups[i].n > 0;
    return count;
}

static inline int group_draw(uint64_t *state)
{
    int i = (int)draw_below(state, (uint64_t)group_limit);
    while (groups[i].n == 0)
        i = (i + 1) % group_limit;
    return i;
}

/* --- completion ---------------------------------------------------------------------------------------- */

/* The status tells who died: one that may have. */
static inline int call_names_mortal(const struct call *c, const tutti_status *status)
{
    return status == NULL || (status->source >= 0 && status->source < c->n && c->mortal[status->source]);
}

/* A blocking call has no status. */
static inline void call_finished(struct call *c, int code, const tutti_status *status)
{
    c->active = 0;
    RIGHT(code == 0 || (code == TUTTI_ERR_PEER_FAILED && deadly && c->excused), c);
    RIGHT(code == 0 || call_names_mortal(c, status), c);
    RIGHT(code != 0 || call_is_right(c), c);
    RIGHT(c->form == PERSISTENT || c->request == NULL, c);
}

static inline void call_complete(struct call *c)
{
    tutti_status status;
    if (!c->active) return;
    const int code = tutti_wait(&c->request, &status);
    call_finished(c, code, &status);
}

/* Completes and forgets it. */
static inline void call_end(struct call *c)
{
    call_complete(c);
    if (c->request != NULL) OK(tutti_request_free(&c->request));
    free(c->send);
    free(c->recv);
    *c = (struct call){.mine = -1};
}

/* The handle goes, the operation goes on; nothing can be said of its result. */
static inline void call_give_up(struct call *c)
{
    if (!c->active || c->form != NONBLOCKING || given_up_count == MOST_GIVEN_UP || c->count * c->width > 9000)
        return;
    OK(tutti_request_free(&c->request));
    given_up[given_up_count++] = *c;
    *c = (struct call){.mine = -1};
}

static inline int collect_active(int which[CALLS], tutti_request *requests[CALLS])
{
    int count = 0;
    for (int k = 0; k < CALLS; k++) {
        if (!calls[k].active) continue;
        which[count] = k;
        requests[count++] = calls[k].request;
    }
    return count;
}

/* Takes over what a completion call left of a request. */
static inline void finish_one(int k, tutti_request *request, int code, const tutti_status *status)
{
    calls[k].request = request;
    call_finished(&calls[k], code, status);
}

static inline void complete_any(int waits)
{
    int which[CALLS], index = -1, done = 1, code;
    tutti_request *requests[CALLS];
    tutti_status status;
    const int count = collect_active(which, requests);
    if (waits)
        code = tutti_waitany(count, requests, &index, &status);
    else
        code = tutti_testany(count, requests, &index, &done, &status);
    if (done && index >= 0)
        finish_one(which[index], requests[index], code, &status);
    else
        EXPECT(code == 0);
}

static inline void complete_some(void)
{
    int which[CALLS], indices[CALLS], done = 0;
    tutti_request *requests[CALLS];
    tutti_status statuses[CALLS];
    const int count = collect_active(which, requests);
    const int code = tutti_waitsome(count, requests, &done, indices, statuses);
    EXPECT(code == 0 || deadly);
    for (int i = 0; i < done; i++)
        finish_one(which[indices[i]], requests[indices[i]], statuses[i].error, &statuses[i]);
}

static inline void complete_all(void)
{
    int which[CALLS];
    tutti_request *requests[CALLS];
    tutti_status statuses[CALLS];
    const int count = collect_active(which, requests);
    const int code = tutti_waitall(count, requests, statuses);
    EXPECT(code == 0 || deadly);
    for (int i = 0; i < count; i++)
        finish_one(which[i], requests[i], statuses[i].error, &statuses[i]);
}

/* Something, or nothing, of what is under way, as this rank likes. */
static inline void complete_as_i_like(void)
{
    struct call *c = &calls[draw_below(&own, CALLS)];
    tutti_status status;
    int done = 0;
    switch (draw_below(&own, 80)) {
    case 0: complete_some(); break;
    case 1: complete_any(1); break;
    case 2: call_give_up(c); break;
    case 3: call_complete(c); break;
    case 4: complete_all(); break;
    case 5:
    case 6: complete_any(0); break;
    default:
        if (!c->active) break;
        const int code = tutti_test(&c->request, &done, &status);
        if (done) call_finished(c, code, &status);
        RIGHT(done || code == 0, c);
    }
}

#endif

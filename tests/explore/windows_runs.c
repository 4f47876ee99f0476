/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations on windows (collectives/execute/windows.c), of which there are few: fewer than operations, so
 * that all are used again. As in the engine each rank has several operations under way and goes on with
 * whichever it can; here with the youngest first, so that they finish in another order. Who can go on with
 * none looks again or sleeps. In those where a rank may die, one more coroutine is the thread of a survivor
 * that hears of it: it tells the rank, which gives up, and wakes it. */
#include <stdlib.h>
#include <string.h>

#include "collectives/execute/windows.h"
#include "runtime/node/bell.h"
#include "runtime/node/node_windows.h"
#include "tests/explore/node_views.h"
#include "tests/explore/windows_payload.h"
#include "tests/explore/windows_runs.h"
#include "tests/unit/expect.h"

#define MOST_UNDER_WAY 3
/* One operation of one rank. */
typedef struct {
    tti_windows_use use;
    int index;               /* in the plan */
    int step;                /* the next */
    bool entered;            /* its window is free */
    bool through;            /* this rank had finished all before */
    unsigned others_through; /* bit r: rank r shows that it had finished all before */
    uint64_t got[WINDOWS_MOST_STEPS][WINDOWS_WORDS];
} flight;

typedef struct {
    tti_windows *windows;
    int begun, count;
    flight flights[MOST_UNDER_WAY]; /* [count], the oldest first */
} rank_state;

static const windows_plan *current;
static rank_state states[RUN_MOST_RANKS];
static _Atomic uint32_t told; /* of a death */

static int ranks(void)
{
    return (int)current->shape.ranks;
}

static windows_step step_of(int rank, const flight *f, int i)
{
    return windows_step_of(&current->operations[f->index], ranks(), rank, i);
}

/* In a mark, as in the executor: its rank has finished all before. */
#define THROUGH 4096

static uint64_t mark_of(int index)
{
    return 1000 + (uint64_t)index;
}

/* Who sees it of all others looks at nobody's counts. */
static void learn(int rank, flight *f, int of, uint64_t mark)
{
    const unsigned others = ((1U << ranks()) - 1) & ~(1U << rank);
    if (of < ranks() && (mark & THROUGH) != 0) f->others_through |= 1U << of;
    if (f->through && (f->others_through & others) == others)
        tti_windows_all_through(states[rank].windows, &f->use);
}

static windows_passing passing(int rank, const flight *f)
{
    return (windows_passing){states[rank].windows, &f->use, &current->operations[f->index], f->index};
}

static bool has_posted(int rank, flight *f, const windows_step *s)
{
    bool entered;
    uint64_t mark;
    const bool posted =
        tti_windows_has_posted(states[rank].windows, &f->use, s->peer, s->post, &entered, &mark);
    RUN_EXPECT(entered || !posted);
    RUN_EXPECT(!entered || (mark & ~(uint64_t)THROUGH) == mark_of(f->index));
    if (posted) learn(rank, f, s->peer, mark);
    return posted;
}

/* What the last to come does for all: it sees what each has written, and writes its own. */
static void play(int rank, const flight *f, const windows_step *s)
{
    const tti_windows *windows = states[rank].windows;
    const windows_passing p = passing(rank, f);
    for (int r = 0; r < ranks(); r++) {
        uint64_t words[WINDOWS_WORDS];
        windows_take(&p, r, s->post, words);
        windows_compare(&p, r, s->post, words);
    }
    if (s->post == 1) tti_windows_at(windows, ranks(), &f->use)->mark = mark_of(f->index);
    windows_put(&p, ranks(), s->post);
    if (s->post == WINDOWS_MOST_POSTS) tti_windows_come_no_more(windows, &f->use);
    tti_windows_post_last(windows, &f->use, s->post);
}

static void come(int rank, const flight *f, const windows_step *s)
{
    const windows_passing p = passing(rank, f);
    bool agreed;
    windows_put(&p, rank, s->post);
    if (!tti_windows_come(states[rank].windows, &f->use, mark_of(f->index), s->post, &agreed)) return;
    RUN_EXPECT(agreed);
    play(rank, f, s);
}

static bool make(int rank, flight *f, const windows_step *s)
{
    const windows_passing p = passing(rank, f);
    if (s->what == AWAIT) {
        if (!has_posted(rank, f, s)) return false;
        windows_take(&p, s->peer, s->post, f->got[f->step]);
    } else if (s->what == COME) {
        come(rank, f, s);
    } else {
        windows_put(&p, rank, s->post);
        tti_windows_post(states[rank].windows, &f->use, s->post, s->peer);
    }
    f->step++;
    return true;
}

/* What has been read is right, also now that others may write to the window again. */
static void compare(int rank, const flight *f)
{
    const windows_passing p = passing(rank, f);
    for (int i = 0; i < f->step; i++) {
        const windows_step s = step_of(rank, f, i);
        if (s.what == AWAIT) windows_compare(&p, s.peer, s.post, f->got[i]);
    }
}

static bool enter(int rank, flight *f)
{
    if (f->entered || !tti_windows_free_for(states[rank].windows, &f->use)) return f->entered;
    f->through = tti_windows_through(states[rank].windows, &f->use);
    const uint64_t own = f->through ? THROUGH : 0;
    tti_windows_enter(states[rank].windows, &f->use, mark_of(f->index) | own, false);
    f->entered = true;
    return true;
}

/* Whether it has gone on. */
static bool advance(int rank, flight *f, bool *ended)
{
    const bool entered = f->entered;
    const int before = f->step;
    if (!enter(rank, f)) return false;
    windows_step s = step_of(rank, f, f->step);
    while (s.what != END && make(rank, f, &s))
        s = step_of(rank, f, f->step);
    *ended = s.what == END;
    if (*ended) {
        tti_windows_finish(states[rank].windows, &f->use);
        compare(rank, f);
    }
    return !entered || f->step > before || *ended;
}

static void begin(int rank)
{
    rank_state *mine = &states[rank];
    while (mine->count < current->under_way && mine->begun < WINDOWS_MOST_OPERATIONS &&
           current->operations[mine->begun].pattern != 0) {
        const windows_operation *operation = &current->operations[mine->begun];
        const bool behind = operation->pattern == BEHIND && rank == operation->root;
        flight *f = &mine->flights[mine->count++];
        *f = (flight){.index = mine->begun++};
        tti_windows_begin(mine->windows, operation->kind, behind ? SIZE_MAX : WINDOWS_BYTES, &f->use);
    }
}

static bool move(int rank)
{
    rank_state *mine = &states[rank];
    bool moved = false;
    for (int i = mine->count; i-- > 0;) {
        bool ended = false;
        moved = advance(rank, &mine->flights[i], &ended) || moved;
        if (!ended) continue;
        mine->count--;
        memmove(&mine->flights[i], &mine->flights[i + 1], (size_t)(mine->count - i) * sizeof(flight));
    }
    begin(rank);
    return moved;
}

static bool sleeps(const rank_state *mine)
{
    bool for_windows = true;
    for (int i = 0; i < mine->count; i++)
        for_windows = for_windows && !mine->flights[i].entered;
    return current->idle == SLEEPS || (current->idle == SLEEPS_FOR_WINDOWS && for_windows);
}

/* Behind the arming who waits looks, as all sleepers do. */
static void rest(int rank)
{
    tti_node *node = node_views[rank];
    if (!sleeps(&states[rank])) {
        if (!move(rank)) explore_pause();
        return;
    }
    tti_node_arm(node);
    if (!move(rank) && atomic_load(&told) == 0) tti_node_sleep(node, -1);
    tti_node_disarm(node);
}

static void tell(void)
{
    run_await_death();
    atomic_store(&told, 1);
    for (int r = 0; r < ranks(); r++)
        if (r != run_dead()) tti_node_wake(node_views[r]);
}

void windows_body(int rank)
{
    if (rank == ranks()) {
        tell();
        return;
    }
    begin(rank);
    while (states[rank].count > 0) {
        if (current->idle != SLEEPS_FOR_WINDOWS && move(rank)) continue;
        if (atomic_load(&told) != 0) return;
        rest(rank);
    }
}

tti_windows *windows_of_rank(int rank, int count, int set)
{
    const size_t bytes = sizeof(tti_windows) + ((size_t)count + 1) * sizeof(int);
    tti_windows *windows = calloc(1, bytes);
    EXPECT(windows != NULL);
    windows->node = node_views[rank];
    windows->rank = rank;
    windows->size = count;
    tti_windows_aim(windows, set);
    for (int r = 0; r < count; r++)
        windows->peers[r] = r;
    windows->peers[count] = tti_node_windows_of_last(windows->node);
    node_views_save(windows, bytes);
    return windows;
}

void windows_open(const scenario *s)
{
    current = s->plan;
    memset(states, 0, sizeof states);
    node_views_open(&current->shape, current->order);
    for (int r = 0; r < ranks(); r++)
        states[r].windows = windows_of_rank(r, ranks(), TTI_NODE_WINDOWS_OF_ALL);
    node_views_save(states, sizeof states);
}

void windows_reset(void)
{
    node_views_reset();
    atomic_store(&told, 0);
}

void windows_close(void)
{
    node_views_close();
    for (int r = 0; r < ranks(); r++)
        free(states[r].windows);
}

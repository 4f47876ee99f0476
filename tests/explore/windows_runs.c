/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations on windows (collectives/execute/windows.c), of which there are two small ones and a large one:
 * fewer than operations, so that all are used again. As in the engine each rank has several operations under
 * way and goes on with whichever it can; here with the youngest first, so that they finish in another order.
 * Who can go on with none looks again or sleeps. In those where a rank may die, one more coroutine is the
 * thread of a survivor that hears of it: it tells the rank, which gives up, and wakes it. */
#include <stdlib.h>
#include <string.h>

#include "collectives/execute/windows.h"
#include "runtime/node/bell.h"
#include "runtime/node/node_windows.h"
#include "tests/explore/node_views.h"
#include "tests/explore/scenarios.h"
#include "tests/explore/windows_steps.h"
#include "tests/unit/expect.h"

#define MOST_OPERATIONS 6
#define MOST_UNDER_WAY 3
#define WORDS 2 /* of payload with each post */
#define BYTES (WINDOWS_MOST_POSTS * WORDS * 8)
#define SMALL TTI_NODE_WINDOW_SMALL
#define LARGE TTI_NODE_WINDOW_LARGE
#define FRONT TTI_NODE_WINDOW_FRONT

/* Who sleeps for windows alone looks behind the arming alone, too: an earlier look would have said already
 * that a window is wanted. */
enum idle { LOOKS, SLEEPS_FOR_WINDOWS, SLEEPS };

typedef struct {
    tti_node_shape shape;
    enum idle idle; /* what a rank does that can go on with nothing */
    int under_way;  /* operations, at most */
    int order;      /* the first so many ranks put all in order before they sleep */
    windows_operation operations[MOST_OPERATIONS];
} plan;

/* One operation of one rank. */
typedef struct {
    tti_windows_use use;
    int index;               /* in the plan */
    int step;                /* the next */
    bool entered;            /* its window is free */
    bool through;            /* this rank had finished all before */
    unsigned others_through; /* bit r: rank r shows that it had finished all before */
    uint64_t got[WINDOWS_MOST_STEPS][WORDS];
} flight;

typedef struct {
    tti_windows *windows;
    int begun, count;
    flight flights[MOST_UNDER_WAY]; /* [count], the oldest first */
} rank_state;

static const plan *current;
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

static uint64_t word_of(int rank, int index, int post, int i)
{
    return (uint64_t)(rank * 1000 + index * 100 + post * 10 + i + 1);
}

static unsigned char *payload_of(int rank, const flight *f, const windows_step *s)
{
    const tti_windows *windows = states[run_rank()].windows;
    const size_t behind = current->operations[f->index].pattern == BEHIND ? f->use.front : 0;
    return (unsigned char *)tti_windows_read(windows, rank, &f->use,
                                             behind + (size_t)(s->post - 1) * sizeof f->got[0]);
}

static void put_payload(int rank, const flight *f, const windows_step *s)
{
    uint64_t words[WORDS];
    unsigned char *to = payload_of(rank, f, s);
    for (int i = 0; i < WORDS; i++)
        words[i] = word_of(rank, f->index, s->post, i);
    memcpy(to, words, sizeof words);
}

static void take_payload(flight *f, const windows_step *s)
{
    uint64_t *to = f->got[f->step];
    memcpy(to, payload_of(s->peer, f, s), sizeof f->got[0]);
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
    for (int r = 0; r < ranks(); r++) {
        uint64_t words[WORDS];
        memcpy(words, payload_of(r, f, s), sizeof words);
        for (int i = 0; i < WORDS; i++)
            RUN_EXPECT(words[i] == word_of(r, f->index, s->post, i));
    }
    if (s->post == 1) tti_windows_at(windows, ranks(), &f->use)->mark = mark_of(f->index);
    put_payload(ranks(), f, s);
    if (s->post == WINDOWS_MOST_POSTS) tti_windows_come_no_more(windows, &f->use);
    tti_windows_post_last(windows, &f->use, s->post);
}

static void come(int rank, const flight *f, const windows_step *s)
{
    bool agreed;
    put_payload(rank, f, s);
    if (!tti_windows_come(states[rank].windows, &f->use, mark_of(f->index), s->post, &agreed)) return;
    RUN_EXPECT(agreed);
    play(rank, f, s);
}

static bool make(int rank, flight *f, const windows_step *s)
{
    if (s->what == AWAIT) {
        if (!has_posted(rank, f, s)) return false;
        take_payload(f, s);
    } else if (s->what == COME) {
        come(rank, f, s);
    } else {
        put_payload(rank, f, s);
        tti_windows_post(states[rank].windows, &f->use, s->post, s->peer);
    }
    f->step++;
    return true;
}

/* What has been read is right, also now that others may write to the window again. */
static void compare(int rank, const flight *f)
{
    for (int i = 0; i < f->step; i++) {
        const windows_step s = step_of(rank, f, i);
        for (int w = 0; s.what == AWAIT && w < WORDS; w++)
            RUN_EXPECT(f->got[i][w] == word_of(s.peer, f->index, s.post, w));
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
    while (mine->count < current->under_way && mine->begun < MOST_OPERATIONS &&
           current->operations[mine->begun].pattern != 0) {
        const windows_operation *operation = &current->operations[mine->begun];
        const bool behind = operation->pattern == BEHIND && rank == operation->root;
        flight *f = &mine->flights[mine->count++];
        *f = (flight){.index = mine->begun++};
        tti_windows_begin(mine->windows, operation->kind, behind ? SIZE_MAX : BYTES, &f->use);
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

static void body(int rank)
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

static void open_windows(int rank)
{
    const size_t bytes = sizeof(tti_windows) + ((size_t)ranks() + 1) * sizeof(int);
    tti_windows *windows = calloc(1, bytes);
    EXPECT(windows != NULL);
    windows->node = node_views[rank];
    windows->rank = rank;
    windows->size = ranks();
    tti_windows_aim(windows, TTI_NODE_WINDOWS_OF_ALL);
    for (int r = 0; r < ranks(); r++)
        windows->peers[r] = r;
    windows->peers[ranks()] = tti_node_windows_of_last(windows->node);
    node_views_save(windows, bytes);
    states[rank].windows = windows;
}

static void open(const scenario *s)
{
    current = s->plan;
    memset(states, 0, sizeof states);
    node_views_open(&current->shape, current->order);
    for (int r = 0; r < ranks(); r++)
        open_windows(r);
    node_views_save(states, sizeof states);
}

static void reset(void)
{
    node_views_reset();
    atomic_store(&told, 0);
}

static void close_all(void)
{
    node_views_close();
    for (int r = 0; r < ranks(); r++)
        free(states[r].windows);
}

#define SEGMENT(ranks)                                                                                       \
    {                                                                                                        \
        ranks, 2, 8, 128, 0, 1,                                                                              \
        {                                                                                                    \
            BYTES, BYTES, BYTES, BYTES                                                                       \
        }                                                                                                    \
    }
#define ALL(kind)                                                                                            \
    {                                                                                                        \
        SHARED, 0, kind                                                                                      \
    }
#define COUNT                                                                                                \
    {                                                                                                        \
        COUNTED, 0, SMALL                                                                                    \
    }
#define FROM(root, kind)                                                                                     \
    {                                                                                                        \
        SPREAD, root, kind                                                                                   \
    }
static const plan
    shared = {SEGMENT(2), SLEEPS, 1, 0, {ALL(SMALL), ALL(SMALL), ALL(SMALL), ALL(SMALL)}},
    looked = {SEGMENT(2), LOOKS, 1, 0, {FROM(0, SMALL), {HALVES, 0, SMALL}, FROM(0, SMALL), FROM(0, SMALL)}},
    freed = {SEGMENT(2), SLEEPS_FOR_WINDOWS, 1, 0, {FROM(1, LARGE), FROM(1, LARGE), FROM(1, LARGE)}},
    ordered = {SEGMENT(2),
               SLEEPS,
               3,
               0,
               {FROM(0, SMALL), FROM(1, SMALL), ALL(SMALL), {HALVES, 0, SMALL}, FROM(1, SMALL)}},
    kinds = {SEGMENT(2), SLEEPS, 2, 0, {ALL(LARGE), FROM(1, LARGE), FROM(0, SMALL), FROM(1, LARGE)}},
    fronts = {SEGMENT(2),
              SLEEPS,
              2,
              0,
              {{BEHIND, 0, FRONT}, {BEHIND, 0, FRONT}, FROM(0, FRONT), FROM(0, FRONT)}},
    fronts_freed = {SEGMENT(2),
                    SLEEPS_FOR_WINDOWS,
                    1,
                    0,
                    {FROM(1, FRONT), FROM(1, FRONT), {BEHIND, 1, FRONT}, FROM(1, FRONT)}},
    three = {SEGMENT(3), SLEEPS, 1, 0, {ALL(SMALL), FROM(1, SMALL), FROM(2, SMALL), ALL(SMALL)}},
    freed_three = {SEGMENT(3), SLEEPS_FOR_WINDOWS, 1, 0, {FROM(1, LARGE), FROM(1, LARGE)}},
    passed = {SEGMENT(3),
              SLEEPS,
              2,
              0,
              {{PASSED, 0, SMALL}, {PASSED, 1, SMALL}, {PASSED, 0, SMALL}, {PASSED, 0, SMALL}}},
    counted = {SEGMENT(2), SLEEPS, 1, 0, {COUNT, COUNT, COUNT, COUNT}},
    counted_looked = {SEGMENT(2), LOOKS, 1, 0, {COUNT, COUNT, COUNT}},
    counted_order = {SEGMENT(2), SLEEPS, 2, 0, {COUNT, FROM(1, SMALL), COUNT, COUNT}},
    counted_three = {SEGMENT(3), SLEEPS, 1, 0, {COUNT, COUNT, COUNT}},
    mortal_counted = {SEGMENT(2), SLEEPS, 2, 0, {COUNT, COUNT, COUNT}},
    beside = {SEGMENT(3), SLEEPS, 1, 0, {{BESIDE, 0, LARGE}, {BESIDE, 0, LARGE}, {BESIDE, 0, LARGE}}},
    mortal = {SEGMENT(2), SLEEPS, 2, 0, {FROM(0, SMALL), FROM(1, SMALL), ALL(SMALL), FROM(0, SMALL)}},
    mortal_three = {SEGMENT(3), SLEEPS, 2, 0, {FROM(0, LARGE), {PASSED, 0, SMALL}, FROM(0, LARGE)}},
    asleep_ordered = {SEGMENT(2), SLEEPS, 1, 2, {ALL(SMALL), FROM(0, SMALL), ALL(SMALL), FROM(1, SMALL)}},
    one_orders = {SEGMENT(2), SLEEPS, 1, 1, {ALL(SMALL), FROM(0, SMALL), FROM(1, SMALL), ALL(SMALL)}},
    three_ordered = {SEGMENT(3), SLEEPS, 1, 3, {ALL(SMALL), FROM(1, SMALL), ALL(SMALL)}},
    two_of_three_order = {SEGMENT(3), SLEEPS, 1, 2, {FROM(0, SMALL), {PASSED, 0, SMALL}, ALL(SMALL)}},
    mortal_ordered = {SEGMENT(2), SLEEPS, 2, 2, {FROM(0, SMALL), FROM(1, SMALL), ALL(SMALL)}};

#define RUNS(coroutines, dying, deviations, plan)                                                            \
    coroutines, dying, deviations, body, open, reset, close_all, &plan
static const scenario all[] = {
    {"windows", "operations that all take part in alike", RUNS(2, 0, 2, shared)},
    {"windows-looked", "one posts, the other looks", RUNS(2, 0, 2, looked)},
    {"windows-freed", "who finds no window free sleeps, who awaits a post looks", RUNS(2, 0, 3, freed)},
    {"windows-freed-3", "the same, three ranks", RUNS(3, 0, 2, freed_three)},
    {"windows-order", "three under way, which finish in any order", RUNS(2, 0, 2, ordered)},
    {"windows-kinds", "on one large window and small ones", RUNS(2, 0, 2, kinds)},
    {"windows-fronts", "on windows with fronts, some write behind them", RUNS(2, 0, 2, fronts)},
    {"windows-fronts-freed", "who finds no front free sleeps", RUNS(2, 0, 3, fronts_freed)},
    {"windows-3", "three ranks", RUNS(3, 0, 1, three)},
    {"windows-passed-3", "posts to one rank each", RUNS(3, 0, 1, passed)},
    {"windows-counted", "who comes is counted, the last posts for all", RUNS(2, 0, 2, counted)},
    {"windows-counted-looked", "the same, all look", RUNS(2, 0, 2, counted_looked)},
    {"windows-counted-order", "two under way", RUNS(2, 0, 1, counted_order)},
    {"windows-counted-3", "three ranks", RUNS(3, 0, 1, counted_three)},
    {"windows-counted-death", "one of two dies", RUNS(3, 2, 1, mortal_counted)},
    {"windows-beside-3", "each reads of the next alone", RUNS(3, 0, 1, beside)},
    {"windows-death", "one of two dies", RUNS(3, 2, 2, mortal)},
    {"windows-death-3", "one of three dies", RUNS(4, 3, 1, mortal_three)},
    {"windows-asleep-ordered", "who sleeps for a post puts all in order", RUNS(2, 0, 2, asleep_ordered)},
    {"windows-one-orders", "the same, but only one of two does so", RUNS(2, 0, 2, one_orders)},
    {"windows-ordered-3", "three ranks, all put all in order", RUNS(3, 0, 1, three_ordered)},
    {"windows-two-order-3", "three ranks, of which two do", RUNS(3, 0, 1, two_of_three_order)},
    {"windows-death-ordered", "one of two that put all in order dies", RUNS(3, 2, 2, mortal_ordered)},
};
const scenario *const scenarios_windows = all;
const int scenarios_windows_count = (int)(sizeof all / sizeof *all);

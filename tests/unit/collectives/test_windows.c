/* SPDX-License-Identifier: BSD-3-Clause */
/* When windows may be used again, with as many of them as the library has: two ranks' views in one thread
 * begin operations as their windows become free, finish those under way in any order, and a reference tells
 * when each may begin. And what they show of operations whose numbers no longer fit there. */
#include <stdlib.h>

#include "collectives/execute/windows.h"
#include "runtime/node/node_windows.h"
#include "runtime/node/view.h"
#include "tests/unit/expect.h"

#define RANKS 2
#define SHARING 5 /* so few use all windows that there are */
#define STEPS 20000
#define MOST TTI_NODE_TINY_WINDOWS

static tti_windows *views[RANKS];
static uint64_t state = 1;

/* What a rank has under way, and up to where it has finished all. */
static struct {
    bool done[STEPS + 1];
    uint64_t begun, finished;
    uint64_t told;  /* of that, as others see it in its counts */
    uint64_t heard; /* up to where it has heard in windows that all have finished */
} ranks[RANKS];

static uint64_t draw(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

static void open_views(void)
{
    static tti_node *nodes[RANKS];
    void *segment = NULL;
    for (int r = 0; r < RANKS; r++) {
        EXPECT(tti_node_open_threads(RANKS, r, &segment, &nodes[r]) == 0);
        views[r] = calloc(1, sizeof *views[r] + RANKS * sizeof views[r]->peers[0]);
        EXPECT(views[r] != NULL);
        views[r]->node = nodes[r];
        views[r]->rank = r;
        views[r]->size = SHARING; /* though two of them alone are here */
        for (int p = 0; p < RANKS; p++)
            views[r]->peers[p] = p;
    }
    const tti_node_windows_name name = {3, 7}, others[] = {{3, 8}, {4, 7}};
    int given = -1;
    tti_windows_aim(views[0], tti_node_windows_take(nodes[0], views[0]->peers, RANKS, &name));
    EXPECT(views[0]->set > TTI_NODE_WINDOWS_OF_ALL);
    for (int i = 0; i < 2; i++) {
        EXPECT(tti_node_windows_find(nodes[1], &others[i]) == -1);
        const int other = tti_node_windows_take(nodes[0], views[0]->peers, RANKS, &others[i]);
        EXPECT(other != views[0]->set && tti_node_windows_find(nodes[1], &others[i]) == other);
        tti_node_windows_give_back(nodes[0], other);
        EXPECT(tti_node_windows_find(nodes[1], &others[i]) == -1);
        tti_node_windows_leave(nodes[1], other); /* it had found it before */
        EXPECT(i == 0 || other == given);
        given = other;
    }
    tti_windows_aim(views[1], tti_node_windows_find(nodes[1], &name));
    EXPECT(views[1]->set == views[0]->set);
    for (int r = 0; r < RANKS; r++)
        views[r]->size = RANKS;
}

/* Among many ranks fewer windows take turns, the same at each. */
static void test_turns(void)
{
    static const struct {
        int ranks;
        unsigned tiny, small, large, parts;
    } expected[] = {{2, 32, 32, 2, 8}, {3, 128, 32, 2, 16}, {8, 128, 32, 2, 16},
                    {9, 64, 16, 2, 8}, {17, 32, 4, 2, 2},   {500, 32, 4, 2, 2}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        tti_windows windows = {.node = views[0]->node, .size = expected[i].ranks};
        tti_windows_aim(&windows, views[0]->set);
        EXPECT(windows.kinds[TTI_NODE_WINDOW_TINY].turns == expected[i].tiny);
        EXPECT(windows.kinds[TTI_NODE_WINDOW_SMALL].turns == expected[i].small);
        EXPECT(windows.kinds[TTI_NODE_WINDOW_LARGE].turns == expected[i].large);
        EXPECT(windows.kinds[TTI_NODE_WINDOW_PARTS].turns == expected[i].parts);
    }
}

static void close_views(void)
{
    for (int r = 0; r < RANKS; r++) {
        tti_node_windows_leave(views[r]->node, views[r]->set);
        tti_node_close(views[r]->node);
        free(views[r]);
    }
}

/* What is finished is told whenever it comes to or passes a multiple of a quarter of the windows. */
static bool is_told(uint64_t before, uint64_t finished, uint64_t windows)
{
    const uint64_t quarter = windows < 4 ? 1 : windows / 4;
    return finished / quarter > before / quarter;
}

/* Two ranks that have both finished all before tell each other so in their windows: then it is known at once.
 */
static void hear(int r, const tti_windows_use *use)
{
    const uint64_t n = use->number;
    bool through = true;
    for (int p = 0; p < RANKS; p++)
        through = through && ranks[p].finished >= n;
    EXPECT(tti_windows_through(views[r], use) == (ranks[r].finished == n));
    if (!through || draw(4) != 0) return;
    tti_windows_all_through(views[r], use);
    if (ranks[r].heard < n) ranks[r].heard = n;
}

/* Begins the rank's next operation if its windows are free, which they are exactly when they should be: of
 * those with fronts more are for who writes no more than that. */
static void begin(int r, enum tti_node_window_kind kind, uint64_t count)
{
    const size_t front = tti_node_window_bytes(views[r]->node, TTI_NODE_WINDOW_FRONT);
    const size_t writes = draw(2) == 0 ? front : front + 1;
    if (kind == TTI_NODE_WINDOW_FRONT && writes == front) count = TTI_NODE_FRONT_WINDOWS;
    uint64_t least = UINT64_MAX;
    for (int p = 0; p < RANKS; p++)
        if (ranks[p].told < least) least = ranks[p].told;
    if (ranks[r].heard > least) least = ranks[r].heard;
    tti_windows_use use;
    tti_windows_next(views[r], kind, writes, &use);
    EXPECT(use.number == ranks[r].begun);
    const bool free = ranks[r].begun < least + count;
    EXPECT(tti_windows_free_for(views[r], &use) == free);
    if (!free) return;
    tti_windows_begin(views[r], kind, writes, &use);
    EXPECT(use.number == ranks[r].begun);
    ranks[r].begun++;
    hear(r, &use);
}

/* Finishes any one of those under way. */
static void finish(int r, enum tti_node_window_kind kind, uint64_t windows)
{
    uint64_t open[MOST];
    uint64_t count = 0;
    for (uint64_t n = ranks[r].finished; n < ranks[r].begun; n++)
        if (!ranks[r].done[n]) open[count++] = n;
    if (count == 0) return;
    const tti_windows_use use = {.kind = kind == TTI_NODE_WINDOW_FRONT ? TTI_NODE_WINDOW_LARGE : kind,
                                 .number = open[draw(count)]};
    ranks[r].done[use.number] = true;
    const uint64_t before = ranks[r].finished;
    while (ranks[r].done[ranks[r].finished])
        ranks[r].finished++;
    if (is_told(before, ranks[r].finished, windows)) ranks[r].told = ranks[r].finished;
    tti_windows_finish(views[r], &use);
}

static void test_reuse(enum tti_node_window_kind kind, uint64_t count)
{
    for (int r = 0; r < RANKS; r++) {
        ranks[r].begun = ranks[r].finished = ranks[r].told = ranks[r].heard = 0;
        for (int i = 0; i <= STEPS; i++)
            ranks[r].done[i] = false;
    }
    for (int i = 0; i < STEPS; i++) {
        const int r = (int)draw(RANKS);
        if (draw(5) < 3) /* so that as many are under way as may be */
            begin(r, kind, count);
        else
            finish(r, kind, count);
    }
    EXPECT(ranks[0].finished > STEPS / 16 && ranks[1].finished > STEPS / 16);
}

/* What is in the front is where it is told, what is behind it in the large window: no two bytes are the same,
 * and those of a front are another operation's as well only after so many as there are. */
static void test_front(void)
{
    const size_t front = tti_node_window_bytes(views[0]->node, TTI_NODE_WINDOW_FRONT);
    const tti_windows_progress before = views[0]->kinds[TTI_NODE_WINDOW_LARGE];
    tti_windows_use plain, use, later;
    tti_windows_next(views[0], TTI_NODE_WINDOW_LARGE, SIZE_MAX, &plain);
    tti_windows_begin(views[0], TTI_NODE_WINDOW_FRONT, front, &use);
    EXPECT(tti_windows_read(views[0], 1, &use, front) == tti_windows_read(views[0], 1, &plain, 0));
    EXPECT(tti_windows_read(views[0], 1, &use, front - 1) ==
           tti_windows_read(views[0], 1, &use, 0) + front - 1);
    EXPECT(tti_windows_at(views[0], 1, &use) != tti_windows_at(views[0], 1, &plain));
    for (int i = 1; i <= TTI_NODE_FRONT_WINDOWS; i++) {
        tti_windows_begin(views[0], TTI_NODE_WINDOW_FRONT, front, &later);
        EXPECT((later.at == use.at) == (i == TTI_NODE_FRONT_WINDOWS));
        EXPECT((later.at + later.shift == use.at + use.shift) == (i % TTI_NODE_LARGE_WINDOWS == 0));
    }
    views[0]->kinds[TTI_NODE_WINDOW_LARGE] = before;
}

static bool shows(const tti_windows_use *use, int post, bool *entered)
{
    uint64_t mark;
    const bool posted = tti_windows_has_posted(views[0], use, 1, post, entered, &mark);
    EXPECT(!*entered || mark == use->number);
    return posted;
}

/* Rank 0 looks before rank 1 has come, and behind each thing that it does. */
static void meet(enum tti_node_window_kind kind)
{
    tti_windows_use use;
    bool entered;
    for (int r = 0; r < RANKS; r++)
        tti_windows_begin(views[r], kind, 0, &use);
    EXPECT(tti_windows_free_for(views[0], &use) && tti_windows_free_for(views[1], &use));
    EXPECT(!shows(&use, 0, &entered) && !entered);
    EXPECT(!shows(&use, 1, &entered) && !entered);
    tti_windows_enter(views[1], &use, use.number, false);
    EXPECT(shows(&use, 0, &entered) && entered);
    EXPECT(!shows(&use, 1, &entered) && entered);
    tti_windows_post(views[1], &use, 2, TTI_ALL);
    EXPECT(shows(&use, 0, &entered) && shows(&use, 1, &entered) && shows(&use, 2, &entered) && entered);
    EXPECT(!shows(&use, 3, &entered) && entered);
    for (int r = 0; r < RANKS; r++)
        tti_windows_finish(views[r], &use);
}

/* A word has room for 40 bits of an operation's number. When they begin anew the windows still show numbers
 * that are much larger. */
static void test_wrap(enum tti_node_window_kind kind, uint64_t count)
{
    const uint64_t wrap = UINT64_C(1) << (64 - TTI_WINDOWS_POST_BITS);
    tti_windows_use use;
    tti_windows_next(views[0], kind, 0, &use);
    for (int r = 0; r < RANKS; r++) {
        tti_windows_progress *p = &views[r]->kinds[use.kind];
        p->begun = p->finished = p->by_all = wrap - count - 3;
    }
    for (uint64_t i = 0; i < 3 * count; i++)
        meet(kind);
    EXPECT(views[0]->kinds[use.kind].finished == wrap + 2 * count - 3);
}

int main(void)
{
    open_views();
    test_turns();
    test_front();
    test_reuse(TTI_NODE_WINDOW_TINY, TTI_NODE_TINY_WINDOWS);
    test_reuse(TTI_NODE_WINDOW_SMALL, TTI_NODE_SMALL_WINDOWS);
    test_reuse(TTI_NODE_WINDOW_LARGE, TTI_NODE_LARGE_WINDOWS);
    test_reuse(TTI_NODE_WINDOW_PARTS, TTI_NODE_PARTS_WINDOWS);
    close_views();
    open_views();
    test_reuse(TTI_NODE_WINDOW_FRONT, TTI_NODE_LARGE_WINDOWS);
    close_views();
    open_views();
    test_wrap(TTI_NODE_WINDOW_TINY, TTI_NODE_TINY_WINDOWS);
    test_wrap(TTI_NODE_WINDOW_SMALL, TTI_NODE_SMALL_WINDOWS);
    test_wrap(TTI_NODE_WINDOW_PARTS, TTI_NODE_PARTS_WINDOWS);
    test_wrap(TTI_NODE_WINDOW_FRONT, TTI_NODE_FRONT_WINDOWS);
    close_views();
    return 0;
}

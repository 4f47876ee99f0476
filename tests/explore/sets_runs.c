/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of windows, given out and taken back (runtime/node/node_windows.c), as communicators are made and
 * freed (collectives/execute/windows_agree.c, windows_open.c): of each group one rank takes a set before it
 * agrees with the others, who find it by its name behind that; all use it, and leave it. Where they agree
 * that there is none the taker gives the set back; where the taker has died before they agreed, or they do
 * not hear what was agreed on, the others leave it. No set is in the hands of two groups, counts are 0 when
 * it is found, and at the end all sets can be taken, but for one that a rank was just taking, leaving or
 * giving back when it died. */
#include <string.h>

#include "runtime/node/node_windows.h"
#include "tests/explore/node_views.h"
#include "tests/explore/scenarios.h"
#include "tests/unit/expect.h"

#define MOST_GROUPS 4
#define MOST_SETS 3

typedef struct {
    int taker;
    unsigned members;                       /* bit r: rank r */
    enum { GOES_WELL, FAILS, UNHEARD } how; /* all agree that there is none; the taker alone hears that */
} group;

typedef struct {
    tti_node_shape shape;
    bool payload; /* what the dead wrote nothing puts in order */
    group groups[MOST_GROUPS];
} plan;

enum { UNKNOWN, MADE, NOT_MADE };

static const plan *current;
static _Atomic uint32_t agreed[MOST_GROUPS];
/* What is known to the scenario alone. */
static struct {
    int took[MOST_GROUPS];      /* the set that was taken; -1: none */
    unsigned uses[MOST_GROUPS]; /* the ranks in whose hands it is */
    bool between[RUN_MOST_RANKS];
    int ended;
} seen;

static int ranks(void)
{
    return (int)current->shape.ranks;
}

static tti_node_windows_name name_of(int g)
{
    return (tti_node_windows_name){1 + (uint64_t)g % 2, 1 + (uint64_t)g};
}

/* Whoever held it before has let it go, or has died. */
static void note_taken(int g, int set)
{
    const unsigned dead = run_dead() >= 0 ? 1U << run_dead() : 0;
    for (int h = 0; h < MOST_GROUPS && set >= 0; h++) {
        if (h == g || seen.took[h] != set) continue;
        RUN_EXPECT((seen.uses[h] & ~dead) == 0);
        seen.took[h] = -1;
    }
    RUN_EXPECT(set == -1 || (set > TTI_NODE_WINDOWS_OF_ALL && set < (int)current->shape.window_sets));
    seen.took[g] = set;
    seen.uses[g] = set >= 0 ? current->groups[g].members : 0;
}

static int take(int rank, int g)
{
    int peers[RUN_MOST_RANKS], count = 0;
    const tti_node_windows_name name = name_of(g);
    for (int r = 0; r < ranks(); r++)
        if ((current->groups[g].members >> r & 1) != 0) peers[count++] = r;
    seen.between[rank] = true;
    const int set = tti_node_windows_take(node_views[rank], peers, count, &name);
    seen.between[rank] = false;
    note_taken(g, set);
    return set;
}

static void leave(int rank, int g, int set)
{
    seen.uses[g] &= ~(1U << rank);
    seen.between[rank] = true;
    tti_node_windows_leave(node_views[rank], set);
    seen.between[rank] = false;
}

static void give_back(int rank, int g, int set)
{
    seen.uses[g] = 0;
    seen.between[rank] = true;
    tti_node_windows_give_back(node_views[rank], set);
    seen.between[rank] = false;
}

static tti_node_window *window_of(int set, int rank)
{
    const tti_node_windows_layout l = tti_node_windows_lie(node_views[run_rank()], set);
    return (void *)(l.first + (size_t)rank * l.of_peer + l.at[TTI_NODE_WINDOW_SMALL]);
}

/* Each posts, and reads of those that have posted. */
static void use(int rank, int g, int set)
{
    tti_node_window *own = window_of(set, rank);
    const uint64_t word = 1 + (uint64_t)g;
    RUN_EXPECT(atomic_load(&own->posted) == 0);
    if (current->payload) memcpy(own->data, &word, sizeof word);
    atomic_store(&own->posted, word);
    for (int r = 0; r < ranks(); r++) {
        uint64_t read = word;
        if ((current->groups[g].members >> r & 1) == 0 || r == rank) continue;
        const uint64_t posted = atomic_load(&window_of(set, r)->posted);
        RUN_EXPECT(posted == 0 || posted == word);
        if (current->payload && posted == word) memcpy(&read, window_of(set, r)->data, sizeof read);
        RUN_EXPECT(read == word);
    }
}

static void lead(int rank, int g)
{
    const int set = take(rank, g);
    atomic_store(&agreed[g], current->groups[g].how != GOES_WELL ? NOT_MADE : MADE);
    if (set < 0) return;
    if (current->groups[g].how != GOES_WELL) {
        give_back(rank, g, set);
        return;
    }
    use(rank, g, set);
    leave(rank, g, set);
}

/* Nobody knows whether the taker had taken a set, or has given it back. */
static void leave_unused(int rank, int g)
{
    const tti_node_windows_name name = name_of(g);
    seen.uses[g] &= ~(1U << rank);
    seen.between[rank] = true;
    tti_node_windows_leave_unused(node_views[rank], &name);
    seen.between[rank] = false;
}

static void follow(int rank, int g)
{
    const tti_node_windows_name name = name_of(g);
    uint32_t made;
    while ((made = atomic_load(&agreed[g])) == UNKNOWN && run_dead() != current->groups[g].taker)
        explore_pause();
    if (made != MADE) {
        if (run_dead() == current->groups[g].taker || current->groups[g].how == UNHEARD)
            leave_unused(rank, g);
        return;
    }
    const int set = tti_node_windows_find(node_views[rank], &name);
    RUN_EXPECT(set == seen.took[g]);
    if (set < 0) return;
    use(rank, g, set);
    leave(rank, g, set);
}

/* All are free again: the last of those that live takes them. */
static void expect_none_lost(int rank)
{
    const int dead = run_dead();
    int found = 0;
    if (++seen.ended < ranks() - (dead >= 0)) return;
    for (int i = 1; i < (int)current->shape.window_sets; i++)
        found += tti_node_windows_take(node_views[rank], &rank, 1, &(tti_node_windows_name){3, 1}) >= 0;
    const bool between = dead >= 0 && seen.between[dead];
    RUN_EXPECT(found >= (int)current->shape.window_sets - 1 - between);
}

static void body(int rank)
{
    for (int g = 0; g < MOST_GROUPS; g++) {
        if ((current->groups[g].members >> rank & 1) == 0) continue;
        if (current->groups[g].taker == rank)
            lead(rank, g);
        else
            follow(rank, g);
    }
    expect_none_lost(rank);
}

static void open(const scenario *s)
{
    current = s->plan;
    EXPECT(current->shape.window_sets <= MOST_SETS);
    node_views_open(&current->shape, 0);
}

static void reset(void)
{
    node_views_reset();
    memset(&seen, 0, sizeof seen);
    for (int g = 0; g < MOST_GROUPS; g++) {
        seen.took[g] = -1;
        atomic_store(&agreed[g], UNKNOWN);
    }
}

#define SEGMENT(ranks, sets)                                                                                 \
    {                                                                                                        \
        ranks, 2, 8, 128, 0, 1 + (sets),                                                                     \
        {                                                                                                    \
            32, 32, 32, 32, 32                                                                               \
        }                                                                                                    \
    }
static const plan
    one = {SEGMENT(2, 1), true, {{0, 3, GOES_WELL}, {1, 3, GOES_WELL}, {0, 3, GOES_WELL}}},
    two = {SEGMENT(2, 2), true, {{0, 3, GOES_WELL}, {1, 3, FAILS}, {1, 3, GOES_WELL}, {0, 3, GOES_WELL}}},
    overlapping = {SEGMENT(3, 1), true, {{0, 3, GOES_WELL}, {2, 6, GOES_WELL}, {0, 3, GOES_WELL}}},
    given_back = {SEGMENT(3, 1), true, {{0, 3, FAILS}, {2, 6, GOES_WELL}, {1, 3, FAILS}, {2, 6, GOES_WELL}}},
    unheard = {SEGMENT(2, 1), true, {{0, 3, UNHEARD}, {1, 3, UNHEARD}, {0, 3, GOES_WELL}}},
    again = {SEGMENT(2, 1), true, {{0, 3, UNHEARD}, {0, 3, GOES_WELL}, {0, 1, GOES_WELL}}},
    mortal_unheard = {SEGMENT(2, 1), false, {{0, 3, UNHEARD}, {1, 3, GOES_WELL}}},
    mortal = {SEGMENT(2, 1), false, {{0, 3, GOES_WELL}, {1, 3, GOES_WELL}}},
    mortal_given = {SEGMENT(2, 1), false, {{0, 3, FAILS}, {1, 3, GOES_WELL}}},
    mortal_three = {SEGMENT(3, 1), false, {{0, 3, GOES_WELL}, {2, 6, GOES_WELL}}},
    mortal_given_three = {SEGMENT(3, 1), false, {{0, 3, FAILS}, {2, 6, GOES_WELL}}};

#define RUNS(coroutines, mortal, deviations, plan)                                                           \
    coroutines, mortal, deviations, body, open, reset, node_views_close, &plan
static const scenario all[] = {
    {"sets", "two ranks that take one set for both, in turn", RUNS(2, 0, 2, one)},
    {"sets-two", "two sets, one of which is given back unused", RUNS(2, 0, 2, two)},
    {"sets-3", "two ranks that take a set each with a third", RUNS(3, 0, 2, overlapping)},
    {"sets-given-back-3", "the same, and some are given back unused", RUNS(3, 0, 2, given_back)},
    {"sets-unheard", "one does not hear that they are given back", RUNS(2, 0, 2, unheard)},
    {"sets-unheard-again", "the same, and the set goes to both again at once", RUNS(2, 0, 2, again)},
    {"sets-unheard-death", "the same, one of two dies", RUNS(2, 2, 2, mortal_unheard)},
    {"sets-death", "one of two dies", RUNS(2, 2, 2, mortal)},
    {"sets-given-back-death", "the same, one set is given back unused", RUNS(2, 2, 2, mortal_given)},
    {"sets-death-3", "one of three dies", RUNS(3, 3, 2, mortal_three)},
    {"sets-given-back-death-3", "the same, one set is given back unused", RUNS(3, 3, 2, mortal_given_three)},
};
const scenario *const scenarios_sets = all;
const int scenarios_sets_count = (int)(sizeof all / sizeof *all);

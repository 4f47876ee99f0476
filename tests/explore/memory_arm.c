/* SPDX-License-Identifier: BSD-3-Clause */
/* The weak machine (memory.h). Views as in J. Kang et al., "A promising semantics for relaxed-memory
 * concurrency", 2017, without promises. */
#include <string.h>

#include "tests/explore/memory.h"

#define MOST_VALUES 256

/* For each word the oldest value that may still be seen, and a clock. */
typedef struct {
    uint16_t seen[MEMORY_MOST_WORDS];
    memory_clock clock;
} view;

typedef struct {
    uint64_t value;
    view shown; /* to whoever acquires it */
} version;

static struct {
    version values[MEMORY_MOST_WORDS][MOST_VALUES];
    uint16_t count[MEMORY_MOST_WORDS];
    int words;
    struct {
        view now;      /* what the rank knows */
        view taken;    /* what it will know after an acquire fence */
        view released; /* what its relaxed stores show, since its last release fence */
    } ranks[RUN_MOST_RANKS];
    uint16_t ordered[MEMORY_MOST_WORDS]; /* what sequentially consistent operations have agreed on */
} arm;

static void join_seen(uint16_t *to, const uint16_t *from)
{
    for (int i = 0; i < arm.words; i++)
        to[i] = from[i] > to[i] ? from[i] : to[i];
}

static void join(view *to, const view *from)
{
    join_seen(to->seen, from->seen);
    memory_join_clocks(to->clock, from->clock);
}

static void reset(void)
{
    memset(arm.ranks, 0, sizeof arm.ranks);
    memset(arm.ordered, 0, sizeof arm.ordered);
    memset(arm.count, 0, sizeof arm.count);
    for (int r = 0; r < RUN_MOST_RANKS; r++)
        arm.ranks[r].now.clock[r] = 1;
}

static void first(int word, uint64_t value)
{
    if (word >= arm.words) arm.words = word + 1;
    arm.count[word] = 1;
    arm.values[word][0].value = value;
    memset(&arm.values[word][0].shown, 0, sizeof(view));
}

static unsigned values(int rank, int word, memory_order order, bool update)
{
    unsigned oldest = arm.ranks[rank].now.seen[word];
    if (update) return 1;
    if (order == memory_order_seq_cst && arm.ordered[word] > oldest) oldest = arm.ordered[word];
    return arm.count[word] - oldest;
}

static uint64_t load(int rank, int word, memory_order order, unsigned which)
{
    const uint16_t index = (uint16_t)(arm.count[word] - 1U - which);
    const version *v = &arm.values[word][index];
    arm.ranks[rank].now.seen[word] = index;
    join(memory_acquires(order) ? &arm.ranks[rank].now : &arm.ranks[rank].taken, &v->shown);
    if (order == memory_order_seq_cst && index > arm.ordered[word]) arm.ordered[word] = index;
    return v->value;
}

/* `continues`: an update shows what the value before it showed, too. */
static void add(int rank, int word, memory_order order, uint64_t value, bool continues)
{
    const uint16_t index = arm.count[word]++;
    if (index == MOST_VALUES) run_fail("a word with more than %d values", MOST_VALUES);
    version *v = &arm.values[word][index];
    view *now = &arm.ranks[rank].now;
    now->seen[word] = index;
    v->value = value;
    v->shown = memory_releases(order) ? *now : arm.ranks[rank].released;
    v->shown.seen[word] = index;
    if (continues) join(&v->shown, &arm.values[word][index - 1].shown);
    if (memory_releases(order)) now->clock[rank]++;
    if (order == memory_order_seq_cst) arm.ordered[word] = index;
}

static void store(int rank, int word, memory_order order, uint64_t value)
{
    add(rank, word, order, value, false);
}

static void update(int rank, int word, memory_order order, uint64_t value)
{
    add(rank, word, order, value, true);
}

static void fence(int rank, memory_order order)
{
    view *now = &arm.ranks[rank].now;
    if (memory_acquires(order)) join(now, &arm.ranks[rank].taken);
    if (order == memory_order_seq_cst) {
        join_seen(now->seen, arm.ordered);
        join_seen(arm.ordered, now->seen);
    }
    if (!memory_releases(order)) return;
    arm.ranks[rank].released = *now;
    now->clock[rank]++;
}

static void settle(void)
{
    for (int r = 0; r < RUN_MOST_RANKS; r++)
        for (int i = 0; i < arm.words; i++)
            if (arm.count[i] > 0) arm.ranks[r].now.seen[i] = (uint16_t)(arm.count[i] - 1);
}

static const uint32_t *clock_of(int rank)
{
    return arm.ranks[rank].now.clock;
}

const memory_machine memory_arm = {reset, first, values, load, store, update, fence, settle, clock_of, true};

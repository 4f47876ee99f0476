/* SPDX-License-Identifier: BSD-3-Clause */
/* Shareable memory under stress: threads as ranks allocate and free ranges at random and show them to peers,
 * which map them, check every byte and answer. A range that overlaps another, a mapping that shows other
 * pages than its owner's, or a cached mapping that has gone stale shows as a wrong byte. */
#include <string.h>

#include "runtime/node/arena.h"
#include "runtime/node/mailbox.h"
#include "tests/unit/node/stress.h"

#define RANKS 3
#define BLOCKS 6 /* that a rank has at a time */
#define MOST_PAGES 4
#define ROUND_STEPS 400

typedef struct {
    uint64_t id, pattern;
    uint32_t words; /* 0: an answer to `block` */
    uint32_t block;
} notice;

typedef struct {
    uint64_t *base;
    notice shown;
    int readers; /* that have not answered yet */
} block;

typedef struct {
    tti_node *node;
    uint64_t random;
    block blocks[BLOCKS];
    int awaited; /* answers */
} rank;

static _Atomic int finished;

static void fill(uint64_t *words, uint32_t count, uint64_t pattern)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = pattern + i;
}

static void expect_content(const uint64_t *words, uint32_t count, uint64_t pattern)
{
    for (uint32_t i = 0; i < count; i++)
        EXPECT(words[i] == pattern + i);
}

static void send(rank *me, int peer, const notice *what)
{
    EXPECT(tti_node_send(me->node, peer, what, sizeof *what, NULL, 0) ==
           0); /* a ring takes all there can be */
}

static void arrived(void *context, int peer, const void *packet, size_t bytes)
{
    rank *me = context;
    notice n;
    void *base;
    EXPECT(bytes == sizeof n);
    memcpy(&n, packet, sizeof n);
    if (n.words == 0) {
        me->blocks[n.block].readers--;
        me->awaited--;
        return;
    }
    EXPECT(tti_node_mem_map(me->node, peer, n.id, &base) == 0);
    expect_content(base, n.words, n.pattern);
    tti_node_mem_unmap(me->node, base);
    n.words = 0;
    send(me, peer, &n);
}

static void allocate(rank *me, uint32_t place)
{
    block *b = &me->blocks[place];
    const size_t bytes = 8 * (1 + draw(&me->random, MOST_PAGES * TTI_NODE_PAGE / 8));
    void *base;
    EXPECT(tti_node_mem_alloc(me->node, bytes, &base, &b->shown.id) == 0);
    b->base = base;
    b->shown.block = place;
    b->shown.words = (uint32_t)(bytes / 8);
    for (uint32_t i = 0; i < b->shown.words; i++)
        EXPECT(b->base[i] == 0);
}

static void show(rank *me, block *b)
{
    b->shown.pattern = next_random(&me->random);
    fill(b->base, b->shown.words, b->shown.pattern);
    for (int peer = 0; peer < RANKS; peer++) {
        if (peer == me->node->index) continue;
        send(me, peer, &b->shown);
        b->readers++;
        me->awaited++;
    }
}

static void release(rank *me, block *b)
{
    expect_content(b->base, b->shown.words, b->shown.pattern);
    EXPECT(tti_node_mem_free(me->node, b->base) == 0);
    *b = (block){0};
}

static void take_in(rank *me)
{
    while (tti_node_poll(me->node, 10, arrived, me) > 0)
        continue;
}

static void rank_run(tti_node *node)
{
    rank me = {.node = node, .random = stress.seed + (uint64_t)node->index};
    for (int step = 0; step < ROUND_STEPS; step++) {
        const uint32_t place = draw(&me.random, BLOCKS);
        block *b = &me.blocks[place];
        take_in(&me);
        if (b->readers > 0) continue;
        if (b->base != NULL && draw(&me.random, 2) == 0) release(&me, b);
        if (b->base == NULL) allocate(&me, place);
        show(&me, b);
    }
    while (me.awaited > 0)
        take_in(&me);
    for (int i = 0; i < BLOCKS; i++)
        if (me.blocks[i].base != NULL) release(&me, &me.blocks[i]);
    for (atomic_fetch_add(&finished, 1); atomic_load(&finished) < RANKS; sched_yield())
        take_in(&me);
}

int main(int argc, char **argv)
{
    unsigned rounds = 0;
    tti_node_shape shape = tti_node_shape_for(RANKS);
    stress_open(argc, argv);
    for (; stress_goes_on(); rounds++, stress.seed++) {
        atomic_store(&finished, 0);
        run_ranks(&shape, rank_run);
    }
    printf("%u rounds\n", rounds);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Mailboxes and bells under stress: threads as ranks send each other packets of random sizes through rings
 * and data areas of a few lines, look at random moments, and sleep without a time limit whenever they can
 * neither send nor find anything. Every byte, the order of each pair, and every wake-up are checked. */
#include <string.h>

#include "runtime/node/bell.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/order.h"
#include "tests/unit/node/stress.h"

/* One scenario; drawn anew for each run. */
static struct {
    tti_node_shape shape;
    uint64_t seed;
    uint32_t first; /* number of a pair's first packet: some runs see the counters wrap around */
    uint32_t each;  /* packets of each pair */
    uint32_t pokes; /* one in so many rounds wakes some rank for nothing; 0: never */
    bool to_first;  /* all send to rank 0 only */
    bool past;      /* long packets are written past the caches */
} scene;

enum { BY_FUTEX, BY_DESCRIPTOR, BY_BOTH, WAYS };

typedef struct {
    tti_node *node;
    uint64_t random;
    int way; /* in which it is woken */
    uint32_t sent[RANKS_MAX], got[RANKS_MAX];
    uint32_t to_send, to_get;
    bool pressed[RANKS_MAX]; /* the last send there found no room */
} rank;

/* Both ends know a packet from its pair and number. */
static uint64_t seed_of(int from, int to, uint32_t packet)
{
    return scene.seed ^ (uint64_t)packet << 16 ^ (uint64_t)from << 8 ^ (uint64_t)to;
}

static size_t size_of(uint64_t *state)
{
    const uint32_t most = scene.shape.data_bytes - TTI_NODE_LINE, small = scene.shape.inline_max * 2;
    return draw(state, 1 + (draw(state, 4) == 0 || small > most ? most : small));
}

static size_t compose(int from, int to, uint32_t packet, unsigned char *bytes)
{
    uint64_t state = seed_of(from, to, packet);
    const size_t size = size_of(&state), rounded = (size + 7) / 8;
    for (size_t i = 0; i < rounded; i++) {
        const uint64_t word = next_random(&state);
        memcpy(bytes + i * 8, &word, 8);
    }
    return size;
}

static void check(void *context, int peer, const void *packet, size_t bytes)
{
    rank *me = context;
    unsigned char expected[TTI_NODE_PACKET_MAX];
    const size_t size = compose(peer, me->node->index, me->got[peer], expected);
    EXPECT(bytes == size && (uintptr_t)packet % 8 == 0 && memcmp(packet, expected, size) == 0);
    me->got[peer]++;
    me->to_get--;
}

static bool try_send(rank *me, int peer)
{
    unsigned char bytes[TTI_NODE_PACKET_MAX];
    const size_t size = compose(me->node->index, peer, me->sent[peer], bytes);
    const size_t head = draw(&me->random, (uint32_t)size + 1);
    const int code = tti_node_send(me->node, peer, bytes, head, bytes + head, size - head);
    EXPECT(code == 0 || code == 1);
    me->sent[peer] += code == 0;
    me->to_send -= code == 0;
    return code == 0;
}

/* Tries each peer at most `most` times; returns whether anything went. */
static bool send_some(rank *me, uint32_t most)
{
    bool went = false;
    const int begin = (int)draw(&me->random, scene.shape.ranks);
    for (int i = 0; i < me->node->ranks; i++) {
        const int peer = (begin + i) % me->node->ranks;
        if (scene.to_first && peer != 0) continue;
        for (uint32_t n = 0; n < most && me->sent[peer] < scene.each && try_send(me, peer); n++)
            went = true;
    }
    return went;
}

static int poll_some(rank *me)
{
    return tti_node_poll(me->node, 1 + (int)draw(&me->random, 5), check, me);
}

/* Sleeps only if nothing can be done: whatever changes that must wake this rank. */
static void rest(rank *me)
{
    const bool by_descriptor = me->way == BY_DESCRIPTOR || (me->way == BY_BOTH && draw(&me->random, 50) == 0);
    if (me->way == BY_BOTH && by_descriptor) me->way = BY_DESCRIPTOR; /* there is no way back */
    tti_node_arm(me->node);
    if (!send_some(me, 1) && poll_some(me) == 0)
        sleep_until_woken(me->node, by_descriptor ? tti_node_wake_fd(me->node) : -1);
    tti_node_disarm(me->node);
}

static void act(rank *me)
{
    if (scene.pokes > 0 && draw(&me->random, scene.pokes) == 0) {
        const int peer = (int)draw(&me->random, scene.shape.ranks);
        if (peer == me->node->index)
            tti_node_wake(me->node);
        else
            tti_node_poke(me->node, peer);
    }
    switch (draw(&me->random, 4)) {
    case 0: send_some(me, 1 + draw(&me->random, 4)); break;
    case 1: poll_some(me); break;
    case 2: sched_yield(); break;
    default:
        if (me->to_send > 0 || me->to_get > 0) rest(me);
        break;
    }
}

/* The pair's counters as after scene.first packets. */
static void advance_counters(tti_node *node)
{
    for (int peer = 0; peer < node->ranks; peer++) {
        node->out[peer].next = node->out[peer].consumed = scene.first;
        node->in[peer].next = scene.first;
        if (scene.past) node->out[peer].past_least = TTI_NODE_LINE;
        atomic_store(&node->in[peer].ring->consumed, scene.first);
    }
}

static _Atomic uint32_t ready;

static void rank_main_of_scene(tti_node *node)
{
    const uint32_t ranks = scene.shape.ranks, senders = scene.to_first && node->index != 0 ? 0 : ranks;
    rank me = {.node = node, .random = scene.seed + (uint64_t)node->index};
    me.way = (int)draw(&me.random, WAYS);
    me.to_send = scene.each * (scene.to_first ? 1 : ranks);
    me.to_get = scene.each * senders;
    advance_counters(node);
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) != ranks)
        sched_yield();
    const uint32_t left = draw(&me.random, 2 * me.to_send + 1); /* of its packets, when it begins; or never */
    while (me.to_send > 0 || me.to_get > 0) {
        if (me.to_send == left) tti_node_order_begin(node);
        act(&me);
    }
    EXPECT(poll_some(&me) == 0);
}

static void draw_scene(uint64_t *random)
{
    static const uint32_t inline_sizes[] = {
        0, 8, 8, 16, TTI_NODE_PIECE, 2 * TTI_NODE_PIECE, TTI_NODE_INLINE_MAX};
    scene.seed = next_random(random);
    scene.shape = (tti_node_shape){.ranks = 2 + draw(random, 2) * draw(random, 6),
                                   .slots = 2 + draw(random, 2) * draw(random, 4),
                                   .inline_max = inline_sizes[draw(random, 7)],
                                   .data_bytes = TTI_NODE_LINE * (2 + draw(random, 6)),
                                   .bells = draw(random, 2)};
    const uint32_t all_slots = scene.shape.slots * TTI_NODE_PIECE;
    if (scene.shape.inline_max > all_slots) scene.shape.inline_max = all_slots;
    scene.each = 2000 / scene.shape.ranks;
    scene.first = draw(random, 2) == 0 ? 0 : UINT32_MAX - draw(random, scene.each);
    scene.pokes = draw(random, 2) * (1 + draw(random, 100));
    scene.to_first = draw(random, 4) == 0;
    scene.past = draw(random, 2) == 0;
    /* Slots that were never written must not look like the packet awaited when the counters wrap around. */
    if (scene.first > UINT32_MAX - 2 * scene.shape.slots) scene.first -= 2 * scene.shape.slots;
}

int main(int argc, char **argv)
{
    stress_open(argc, argv);
    uint64_t random = stress.seed, packets = 0;
    tti_node_order_open();
    unsigned scenes = 0;
    for (; stress_goes_on(); scenes++) {
        draw_scene(&random);
        atomic_store(&ready, 0);
        run_ranks(&scene.shape, rank_main_of_scene);
        packets += (uint64_t)scene.each * scene.shape.ranks * (scene.to_first ? 1 : scene.shape.ranks);
    }
    printf("%u scenes, %llu packets\n", scenes, (unsigned long long)packets);
    return 0;
}

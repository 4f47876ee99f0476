/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets through rings of two slots. Rank 0 receives, the others send; who finds no packet, or no room,
 * looks again or sleeps. In those where a rank may die, one more coroutine is the thread of a survivor that
 * hears of it: it tells the rank and wakes it. */
#include <string.h>

#include "tests/explore/node_views.h"
#include "tests/explore/scenarios.h"

#define MOST_PACKETS 4
#define MOST_BYTES 256

typedef struct {
    tti_node_shape shape;
    size_t bytes[MOST_PACKETS]; /* of each sender's packets; 0: no more */
    bool sleeps;
} plan;

static const plan *current;
static _Atomic uint32_t told; /* of a death */
static int taken[RUN_MOST_RANKS];

static int packets(void)
{
    int count = 0;
    while (count < MOST_PACKETS && current->bytes[count] > 0)
        count++;
    return count;
}

static unsigned char byte_of(int sender, int packet, size_t i)
{
    return (unsigned char)(sender * 64 + packet * 16 + (int)i + 1);
}

static void take(void *context, int peer, const void *packet, size_t bytes)
{
    const unsigned char *content = packet;
    (void)context;
    RUN_EXPECT(peer > 0 && peer < (int)current->shape.ranks && taken[peer] < packets());
    RUN_EXPECT(bytes == current->bytes[taken[peer]]);
    for (size_t i = 0; i < bytes; i++)
        RUN_EXPECT(content[i] == byte_of(peer, taken[peer], i));
    taken[peer]++;
}

static int taken_of_all(void)
{
    int sum = 0;
    for (int r = 0; r < RUN_MOST_RANKS; r++)
        sum += taken[r];
    return sum;
}

static bool poll_once(tti_node *node)
{
    return tti_node_poll(node, 2, take, NULL) > 0;
}

static bool send_next(tti_node *node, int packet)
{
    unsigned char content[MOST_BYTES];
    const size_t bytes = current->bytes[packet];
    for (size_t i = 0; i < bytes; i++)
        content[i] = byte_of(node->index, packet, i);
    const int code = tti_node_send(node, 0, content, bytes, NULL, 0);
    RUN_EXPECT(code == 0 || code == 1);
    return code == 0;
}

static bool is_told(void)
{
    return atomic_load(&told) != 0;
}

typedef bool try_fn(tti_node *node, int packet);

static bool take_some(tti_node *node, int packet)
{
    (void)packet;
    return poll_once(node);
}

/* Behind the arming who waits looks once more, as all sleepers do. False: one has died. */
static bool wait_until(tti_node *node, try_fn *try, int packet)
{
    for (;;) {
        if (try(node, packet)) return true;
        if (is_told()) return false;
        if (!current->sleeps) {
            explore_pause();
            continue;
        }
        tti_node_arm(node);
        const bool done = try(node, packet);
        if (!done && !is_told()) tti_node_sleep(node, -1);
        tti_node_disarm(node);
        if (done) return true;
    }
}

static void receive(tti_node *node)
{
    const int all = packets() * (node->ranks - 1);
    while (taken_of_all() < all && wait_until(node, take_some, 0))
        continue;
    RUN_EXPECT(run_dead() >= 0 || taken_of_all() == all);
}

static void send(tti_node *node)
{
    for (int i = 0; i < packets() && wait_until(node, send_next, i); i++)
        continue;
}

static void tell(void)
{
    run_await_death();
    atomic_store(&told, 1);
    for (int r = 0; r < (int)current->shape.ranks; r++)
        if (r != run_dead()) tti_node_wake(node_views[r]);
}

static void body(int rank)
{
    if (rank == (int)current->shape.ranks)
        tell();
    else if (rank == 0)
        receive(node_views[0]);
    else
        send(node_views[rank]);
}

static void open(const scenario *s)
{
    current = s->plan;
    node_views_open(&current->shape);
}

static void reset(void)
{
    node_views_reset();
    atomic_store(&told, 0);
    memset(taken, 0, sizeof taken);
}

#define SEGMENT(ranks, slots, inline_max, data, bells)                                                       \
    {                                                                                                        \
        ranks, slots, inline_max, data, bells                                                                \
    }
static const plan small = {SEGMENT(2, 2, 8, 128, 0), {8, 8, 8, 4}, false},
                  pieces = {SEGMENT(2, 3, 112, 256, 0), {100, 8, 112}, false},
                  large = {SEGMENT(2, 4, 8, 192, 0), {64, 100, 24, 64}, false},
                  asleep = {SEGMENT(2, 2, 8, 192, 0), {8, 8, 64, 8}, true},
                  bits = {SEGMENT(2, 2, 8, 192, 1), {8, 64, 8}, true},
                  three = {SEGMENT(3, 2, 8, 128, 0), {8, 8, 8}, true},
                  three_bits = {SEGMENT(3, 2, 8, 128, 1), {8, 8}, true};

#define RUNS(coroutines, mortal, deviations, plan)                                                           \
    coroutines, mortal, deviations, body, open, reset, node_views_close, &plan
static const scenario all[] = {
    {"send", "packets of a slot each, looked for", RUNS(2, 0, 4, small)},
    {"send-pieces", "packets of several slots", RUNS(2, 0, 4, pieces)},
    {"send-large", "packets through the data area", RUNS(2, 0, 4, large)},
    {"sleep", "two ranks that sleep for a packet or for room", RUNS(2, 0, 3, asleep)},
    {"sleep-bits", "the same, receivers look at their bit set", RUNS(2, 0, 3, bits)},
    {"sleep-3", "two send to a third", RUNS(3, 0, 2, three)},
    {"sleep-bits-3", "the same, by bit sets", RUNS(3, 0, 2, three_bits)},
    {"death", "one of two dies", RUNS(3, 2, 2, asleep)},
    {"death-3", "one of three dies", RUNS(4, 3, 2, three_bits)},
};
const scenario *const scenarios_mailbox = all;
const int scenarios_mailbox_count = (int)(sizeof all / sizeof *all);

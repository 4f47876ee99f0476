/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets through rings of two slots. Rank 0 receives, the others send; who finds no packet, or no room,
 * looks again or sleeps. In those where a rank may die, one more coroutine is the thread of a survivor that
 * hears of it: it tells the rank and wakes it. */
#include <string.h>

#include "runtime/node/bell.h"
#include "runtime/node/mailbox.h"
#include "tests/explore/node_views.h"
#include "tests/explore/scenarios.h"

#define MOST_PACKETS 4
#define MOST_BYTES 256

typedef struct {
    tti_node_shape shape;
    size_t bytes[MOST_PACKETS]; /* of each sender's packets; 0: no more */
    bool sleeps, around;
    int order; /* so many ranks put all in order before they sleep */
} plan;

static const plan *current;
static _Atomic uint32_t told;                                           /* of a death */
static int sent[RUN_MOST_RANKS], taken[RUN_MOST_RANKS][RUN_MOST_RANKS]; /* by each; from each */

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

static int target_of(int rank)
{
    return current->around ? (rank + 1) % (int)current->shape.ranks : 0;
}

static int to_send(int rank)
{
    return current->around || rank != 0 ? packets() : 0;
}

static int to_take(int rank)
{
    int sum = 0;
    for (int r = 0; r < (int)current->shape.ranks; r++)
        if (target_of(r) == rank) sum += to_send(r);
    for (int r = 0; r < RUN_MOST_RANKS; r++)
        sum -= taken[rank][r];
    return sum;
}

static void take(void *context, int peer, const void *packet, size_t bytes)
{
    const int rank = ((const tti_node *)context)->index;
    const unsigned char *content = packet;
    RUN_EXPECT(peer >= 0 && peer < (int)current->shape.ranks && target_of(peer) == rank);
    const int number = taken[rank][peer]++;
    RUN_EXPECT(number < to_send(peer) && bytes == current->bytes[number]);
    for (size_t i = 0; i < bytes; i++)
        RUN_EXPECT(content[i] == byte_of(peer, number, i));
}

static bool send_next(tti_node *node)
{
    unsigned char content[MOST_BYTES];
    const int rank = node->index;
    const size_t bytes = current->bytes[sent[rank]];
    for (size_t i = 0; i < bytes; i++)
        content[i] = byte_of(rank, sent[rank], i);
    const int code = tti_node_send(node, target_of(rank), content, bytes, NULL, 0);
    RUN_EXPECT(code == 0 || code == 1);
    sent[rank] += code == 0;
    return code == 0;
}

static bool move(tti_node *node)
{
    const int rank = node->index;
    const bool sends = sent[rank] < to_send(rank) && send_next(node);
    return (to_take(rank) > 0 && tti_node_poll(node, 2, take, node) > 0) || sends;
}

static bool is_told(void)
{
    return atomic_load(&told) != 0;
}

/* Behind the arming who waits looks once more, as all sleepers do. */
static void rest(tti_node *node)
{
    if (!current->sleeps) {
        explore_pause();
        return;
    }
    tti_node_arm(node);
    if (!move(node) && !is_told()) tti_node_sleep(node, -1);
    tti_node_disarm(node);
}

static void exchange(tti_node *node)
{
    const int rank = node->index;
    while (sent[rank] < to_send(rank) || to_take(rank) > 0) {
        if (move(node)) continue;
        if (is_told()) return;
        rest(node);
    }
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
    else
        exchange(node_views[rank]);
}

static void open(const scenario *s)
{
    current = s->plan;
    node_views_open(&current->shape, current->order);
}

static void reset(void)
{
    node_views_reset();
    atomic_store(&told, 0);
    memset(sent, 0, sizeof sent);
    memset(taken, 0, sizeof taken);
}

#define SEGMENT(ranks, slots, inline_max, data, bells)                                                       \
    {                                                                                                        \
        ranks, slots, inline_max, data, bells, 0,                                                            \
        {                                                                                                    \
            0, 0                                                                                             \
        }                                                                                                    \
    }
static const plan small = {SEGMENT(2, 2, 8, 128, 0), {8, 8, 8, 4}, false, false, 0},
                  pieces = {SEGMENT(2, 3, 112, 256, 0), {100, 8, 112}, false, false, 0},
                  large = {SEGMENT(2, 4, 8, 192, 0), {64, 100, 24, 64}, false, false, 0},
                  asleep = {SEGMENT(2, 2, 8, 192, 0), {8, 8, 64, 8}, true, false, 0},
                  bits = {SEGMENT(2, 2, 8, 192, 1), {8, 64, 8}, true, false, 0},
                  three = {SEGMENT(3, 2, 8, 128, 0), {8, 8, 8}, true, false, 0},
                  three_bits = {SEGMENT(3, 2, 8, 128, 1), {8, 8}, true, false, 0},
                  both = {SEGMENT(2, 2, 8, 192, 0), {8, 64, 8, 8}, true, true, 0},
                  both_bits = {SEGMENT(2, 2, 8, 192, 1), {8, 64, 8}, true, true, 0},
                  around = {SEGMENT(3, 2, 8, 192, 1), {8, 8, 8}, true, true, 0},
                  ordered = {SEGMENT(2, 3, 8, 192, 0), {8, 8}, true, false, 2},
                  room_ordered = {SEGMENT(2, 2, 8, 192, 0), {8, 8, 64, 8}, true, false, 2},
                  one_orders = {SEGMENT(2, 2, 8, 192, 0), {8, 8, 64, 8}, true, false, 1},
                  both_ordered = {SEGMENT(2, 2, 8, 192, 0), {8, 64, 8, 8}, true, true, 2},
                  three_ordered = {SEGMENT(3, 2, 8, 128, 0), {8, 8, 8}, true, false, 3};

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
    {"both", "two that send to each other", RUNS(2, 0, 2, both)},
    {"both-bits", "the same, by bit sets", RUNS(2, 0, 2, both_bits)},
    {"sleep-ordered", "two ranks, of which the sleeper puts all in order", RUNS(2, 0, 3, ordered)},
    {"room-ordered", "the same, also for room", RUNS(2, 0, 3, room_ordered)},
    {"sleep-one-orders", "the same, but only the receiver does so", RUNS(2, 0, 3, one_orders)},
    {"both-ordered", "two that send to each other, and put all in order", RUNS(2, 0, 2, both_ordered)},
    {"sleep-3-ordered", "two send to a third, all put all in order", RUNS(3, 0, 2, three_ordered)},
    {"around-3", "three that send in a circle", RUNS(3, 0, 1, around)},
    {"both-death", "one of two that send to each other dies", RUNS(3, 2, 2, both_bits)},
    {"death", "one of two dies", RUNS(3, 2, 2, asleep)},
    {"death-ordered", "the same, both put all in order", RUNS(3, 2, 2, room_ordered)},
    {"death-3", "one of three dies", RUNS(4, 3, 2, three_bits)},
};
const scenario *const scenarios_mailbox = all;
const int scenarios_mailbox_count = (int)(sizeof all / sizeof *all);

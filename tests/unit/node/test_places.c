/* SPDX-License-Identifier: BSD-3-Clause */
/* Who of a node's ranks takes another processor: each goes to its share, where it makes their numbers more
 * equal; after a stranger was seen one at a time, and none while it computes. Who has left or died, and a
 * process in reserve that has not come, is passed over. Views in one process stand for the ranks; times are
 * made up. */
#include "runtime/base/options.h"
#include "runtime/node/places.h"
#include "runtime/node/processors.h"
#include "runtime/node/segment.h"
#include "runtime/node/view.h"
#include "tests/unit/expect.h"

#define RANKS 4
#define RESERVE 1
#define MS 1000000
#define APART (5 * MS) /* moves may be made so soon after each other */

static tti_node *ranks[RANKS];
static int64_t now = 1000 * MS;

static void put(int rank, int cpu)
{
    tti_node_note_place(ranks[rank], cpu);
}

static void put_all(int a, int b, int c, int d)
{
    put(0, a);
    put(1, b);
    put(2, c);
    put(3, d);
    now += APART;
}

static int take(int rank)
{
    return tti_node_take_place(ranks[rank], now);
}

static bool nobody_moves(void)
{
    bool none = true;
    for (int rank = 0; rank < RANKS; rank++)
        none = none && take(rank) == TTI_NODE_NOWHERE;
    return none;
}

static void allow(int rank, int first, int last)
{
    cpu_set_t *cpus = &tti_node_card_of(ranks[rank], rank)->cpus;
    CPU_ZERO(cpus);
    for (int cpu = first; cpu <= last; cpu++)
        CPU_SET(cpu, cpus);
}

/* All at once, and wherever the kernel has put them. */
static void test_shares(void)
{
    put_all(0, 0, 0, 0);
    EXPECT(take(0) == TTI_NODE_NOWHERE && take(2) == 1 && take(3) == 1 && take(1) == TTI_NODE_NOWHERE);
    EXPECT(nobody_moves());
    put_all(1, 1, 1, 0);
    EXPECT(take(0) == 0 && take(1) == TTI_NODE_NOWHERE && take(2) == TTI_NODE_NOWHERE); /* even now */
    put_all(0, 1, 1, 1);
    EXPECT(take(1) == 0 && nobody_moves());
    put_all(1, 1, 0, 0); /* as even */
    EXPECT(nobody_moves());
    put_all(0, 1, 1, TTI_NODE_NOWHERE); /* who sleeps does not count */
    EXPECT(take(1) == 0 && take(2) == TTI_NODE_NOWHERE);
}

/* Rank 3's processor was a stranger's for 3 ms, in which the others had a turn, but for those in `without`.
 */
static void lose(int without)
{
    for (int rank = 0; rank < RANKS; rank++)
        if (rank != without) tti_node_note_turn(ranks[rank], now + 2 * MS, MS);
    tti_node_note_loss(ranks[3], now, now + 3 * MS);
    now += 3 * MS;
}

/* How long nobody moves then, of all on one processor. */
static int64_t wait_for_move(void)
{
    const int64_t begun = now;
    while (take(0) == TTI_NODE_NOWHERE)
        now += MS;
    put(0, 1);
    return now - begun;
}

static void test_evens_out(void)
{
    put_all(1, 1, 1, 1);
    lose(-1);
    wait_for_move();
    put_all(0, 0, 0, 0);
    EXPECT(take(3) == TTI_NODE_NOWHERE && take(1) == TTI_NODE_NOWHERE && take(0) == 1); /* the lowest goes */
    put(0, 1);
    EXPECT(nobody_moves()); /* so soon */
    now += APART;
    EXPECT(take(2) == TTI_NODE_NOWHERE && take(1) == 1);
    now += APART;
    EXPECT(nobody_moves());
    put_all(1, 0, 1, 1);
    EXPECT(take(1) == TTI_NODE_NOWHERE && take(0) == 0);
    put_all(0, 0, 1, TTI_NODE_NOWHERE); /* who sleeps does not count */
    EXPECT(nobody_moves());
    put_all(TTI_NODE_NOWHERE, TTI_NODE_NOWHERE, 1, 1);
    EXPECT(take(2) == 0);
    put_all(0, CPU_SETSIZE, CPU_SETSIZE, -7); /* nor who is nowhere known */
    EXPECT(nobody_moves());
}

static void test_bound(void)
{
    allow(0, 0, 0);
    put_all(0, 0, 0, 1);
    EXPECT(take(0) == TTI_NODE_NOWHERE && take(1) == 1);
    for (int rank = 0; rank < RANKS; rank++)
        allow(rank, 2, 2);
    put_all(2, 2, 2, 2);
    EXPECT(nobody_moves());
    allow(3, 2, 9);
    EXPECT(take(3) >= 3);
    for (int rank = 0; rank < RANKS; rank++)
        allow(rank, 0, 1);
}

static void test_strangers(void)
{
    now += INT64_C(3000) * MS;
    put_all(1, 1, 1, 1);
    lose(1); /* it may have computed */
    EXPECT(wait_for_move() <= APART);
    put(1, CPU_SETSIZE); /* has not shown where it is */
    now += APART;
    lose(1);
    EXPECT(wait_for_move() <= APART);
    put(1, TTI_NODE_NOWHERE);
    now += APART;
    lose(1); /* it slept */
    put(1, 1);
    const int64_t first = wait_for_move();
    EXPECT(first > 2 * APART && first <= 1000 * MS);
    lose(-1); /* no sooner than somebody moves again */
    EXPECT(wait_for_move() >= 2 * first - MS);
    lose(-1);
    now += first; /* those that see it meanwhile make it last */
    lose(-1);
    EXPECT(wait_for_move() >= 4 * first - MS);
    for (int i = 0; i < 20; i++) {
        lose(-1);
        now += 4 * first;
    }
    int64_t longest = 0;
    for (int i = 0; i < 12; longest = wait_for_move(), i++)
        lose(-1);
    EXPECT(longest > 8 * first && longest <= 30000 * INT64_C(1000000));
    now += 10 * longest;
    lose(-1);
    EXPECT(wait_for_move() <= first + MS);
}

/* Rank 0 is no more: it has had no turn, is not where it was last, and goes nowhere in rank 1's stead. */
static void test_without_first(void)
{
    now += INT64_C(40000) * MS;
    put_all(1, 1, 1, 1);
    lose(0);
    const int64_t begun = now;
    while (take(1) == TTI_NODE_NOWHERE && now < begun + 1000 * MS)
        now += MS;
    EXPECT(now > begun + 2 * APART && now < begun + 1000 * MS);
    now += APART;
    EXPECT(nobody_moves());
}

static void test_gone(void)
{
    tti_node_card *first = tti_node_card_of(ranks[0], 0);
    atomic_store(&first->left, true);
    test_without_first();
    atomic_store(&first->left, false);
    for (int rank = 0; rank < RANKS; rank++)
        ranks[rank]->contacts[0].gone = true;
    test_without_first();
}

int main(void)
{
    void *segment = NULL;
    const tti_node_shape shape = tti_node_shape_for(RANKS + RESERVE);
    EXPECT(tti_options_load(NULL) == 0);
    for (int rank = 0; rank < RANKS; rank++)
        EXPECT(tti_node_open_shaped(&shape, rank, &segment, &ranks[rank]) == 0);
    for (int rank = 0; rank < RANKS; rank++)
        ranks[rank]->expected = RANKS;
    for (int rank = 0; rank < RANKS; rank++)
        allow(rank, 0, 1);
    EXPECT(nobody_moves()); /* before anybody has shown where it is */
    test_shares();
    test_evens_out();
    test_bound();
    test_strangers();
    test_gone();
    for (int rank = 0; rank < RANKS; rank++)
        tti_node_close(ranks[rank]);
    tti_options_unload();
    return 0;
}

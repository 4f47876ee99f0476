/* SPDX-License-Identifier: BSD-3-Clause */
/* When a rank that waits sleeps at once: after yields that gave its core to somebody who computes, and not
 * after such that the other ranks of its node needed, or those of other jobs. */
#include "runtime/node/places.h"
#include "runtime/node/processors.h"
#include "runtime/progress/core_loss.h"

#include "tests/unit/expect.h"

#define SLICE 5000000 /* of somebody who computes, in rough ns */

static int64_t of_others; /* the turns of the node's other ranks */
static bool known;        /* whether `missed` is, once there is the file */
static int64_t missed;    /* of a yield: for how long no rank had the processor */
static int losses;        /* that the node heard of */
static char node;

void tti_node_note_turn(const tti_node *of, int64_t ended, int64_t took)
{
    EXPECT((const char *)of == &node && ended > took && took > 0);
}

int64_t tti_node_turns(const tti_node *of, int64_t since, int64_t most)
{
    EXPECT((const char *)of == &node && since > 0 && most < SLICE);
    return of_others;
}

void tti_node_note_loss(const tti_node *of, int64_t since, int64_t now)
{
    EXPECT((const char *)of == &node && now - since == SLICE);
    losses++;
}

void tti_turns_open(tti_turns *turns)
{
    turns->opened = true;
}

void tti_turns_end(tti_turns *turns, int64_t now)
{
    EXPECT(turns != NULL && now > 0);
}

void tti_turns_begin(tti_turns *turns, int64_t now)
{
    EXPECT(turns != NULL && now > 0);
}

int64_t tti_turns_missed(const tti_turns *turns)
{
    return known && turns->opened ? missed : -1;
}

void tti_turns_close(tti_turns *turns)
{
    *turns = (tti_turns){0};
}

static int64_t now = 1;

static void later(int64_t ns)
{
    now += ns;
}

/* A yield after a turn of 1000. */
static void yield(tti_core_loss *loss, int64_t takes)
{
    tti_core_loss_turn_begins(loss, now);
    now += 1000;
    tti_core_loss_turn_ends(loss, (const tti_node *)&node, now);
    tti_core_loss_learn(loss, (const tti_node *)&node, now, now + takes);
    now += takes;
    EXPECT(loss->begun == now);
}

static int count_sleeps(tti_core_loss *loss)
{
    int sleeps = 0;
    for (; tti_core_loss_sleeps(loss); sleeps++)
        tti_core_loss_slept(loss);
    return sleeps;
}

static void test_losses(void)
{
    tti_core_loss loss = {0};
    yield(&loss, SLICE / 100);
    EXPECT(!tti_core_loss_is_fresh(&loss)); /* the kernel's, or an interrupt */
    yield(&loss, SLICE);
    EXPECT(!tti_core_loss_sleeps(&loss) && loss.turns.opened); /* one proves nothing */
    EXPECT(tti_core_loss_is_fresh(&loss));
    yield(&loss, SLICE);
    const int first = count_sleeps(&loss);
    yield(&loss, SLICE);
    EXPECT(first > 0 && count_sleeps(&loss) == 2 * first);
    for (int i = 0; i < 1000; i++)
        yield(&loss, 10000);
    EXPECT(!tti_core_loss_is_fresh(&loss));
    yield(&loss, SLICE);
    EXPECT(!tti_core_loss_sleeps(&loss));
    yield(&loss, SLICE);
    EXPECT(count_sleeps(&loss) == first);
}

static void test_turns_of_others(void)
{
    tti_core_loss loss = {0};
    losses = 0;
    of_others = SLICE - 1000000;
    for (int i = 0; i < 10; i++)
        yield(&loss, SLICE);
    EXPECT(!tti_core_loss_sleeps(&loss) && losses == 0);
    of_others = 1000000; /* the rest is a stranger's */
    yield(&loss, SLICE);
    yield(&loss, SLICE);
    EXPECT(tti_core_loss_sleeps(&loss) && losses == 2);
    of_others = 0;
}

/* A round of so many ranks takes longer than a time slice, and not all of it is known. */
static void test_turns_of_many(void)
{
    tti_core_loss loss = {0};
    losses = 0;
    of_others = 5 * SLICE;
    for (int i = 0; i < 10; i++)
        yield(&loss, 8 * SLICE);
    EXPECT(!tti_core_loss_sleeps(&loss) && losses == 0 && !loss.turns.opened);
    of_others = 0;
}

/* After the first loss it is known, and counts, not the node's last turns. */
static void test_gaps(void)
{
    tti_core_loss loss = {0};
    known = true;
    losses = 0;
    for (int i = 0; i < 3; i++)
        yield(&loss, SLICE);
    EXPECT(!tti_core_loss_sleeps(&loss) && losses == 1 && loss.turns.opened);
    of_others = missed = SLICE;
    yield(&loss, 3 * SLICE); /* most of the time ranks had it */
    EXPECT(!tti_core_loss_sleeps(&loss) && losses == 1);
    yield(&loss, SLICE);
    EXPECT(tti_core_loss_sleeps(&loss) && losses == 2);
    of_others = missed = 0;
    known = false;
}

/* Yields to many other ranks, of 2 ms each. */
static void share(tti_core_loss *loss, int yields)
{
    for (int i = 0; i < yields; i++)
        yield(loss, 2000000);
}

/* However few yields there were between: what matters is how much of the time the stranger has. */
static void test_seldom(void)
{
    tti_core_loss loss = {0};
    for (int n = 0; n < 10; n++) {
        share(&loss, 30);
        yield(&loss, SLICE);
    }
    EXPECT(!tti_core_loss_sleeps(&loss) && loss.turns.opened);
    share(&loss, 10);
    yield(&loss, SLICE);
    const int first = count_sleeps(&loss);
    yield(&loss, SLICE);
    EXPECT(first > 0 && count_sleeps(&loss) == 2 * first);
    share(&loss, 30); /* then what was learnt is old */
    yield(&loss, SLICE);
    EXPECT(!tti_core_loss_sleeps(&loss));
    yield(&loss, SLICE);
    EXPECT(count_sleeps(&loss) == first);
}

/* Asleep it loses nothing to anybody. */
static void test_asleep(void)
{
    tti_core_loss loss = {0};
    yield(&loss, SLICE);
    later(100 * SLICE);
    yield(&loss, SLICE);
    EXPECT(tti_core_loss_sleeps(&loss));
}

int main(void)
{
    test_losses();
    test_turns_of_others();
    test_turns_of_many();
    test_gaps();
    test_seldom();
    test_asleep();
    return 0;
}

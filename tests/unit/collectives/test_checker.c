/* SPDX-License-Identifier: BSD-3-Clause */
/* The checker against schedules written by hand, right and wrong, so that it does not depend on the builder's
 * idea of dependencies. */
#include "tests/unit/collectives/scripts.h"

static const tti_shape pair = {
    .size = 2, .count = 2, .element = 4, .radix = 2, .chunk = 1, .commutes = false};

static void test_allreduce(void)
{
    /* Rank 0: sum = own ∘ received, in OUTPUT. Rank 1: sum = received ∘ own copy. */
    script zero = {{SEND(TTI_INPUT, 0, 8, 1), RECV(TTI_OUTPUT, 0, 8, 1),
                    LOCAL(TTI_STEP_REDUCE, TTI_INPUT, 0, TTI_OUTPUT, 0, 8)},
                   {0, 0, 2},
                   3};
    const script one = {{SEND(TTI_INPUT, 0, 8, 0), RECV(TTI_SCRATCH, 0, 8, 0),
                         LOCAL(TTI_STEP_COPY, TTI_INPUT, 0, TTI_OUTPUT, 0, 8),
                         LOCAL(TTI_STEP_REDUCE, TTI_SCRATCH, 0, TTI_OUTPUT, 0, 8)},
                        {0, 0, 0, 6},
                        4};
    expect(TTI_ALLREDUCE, &pair, &zero, &one, NULL);
    script bad = one;
    bad.after[3] = 2; /* the copy may come after the reduction */
    expect(TTI_ALLREDUCE, &pair, &zero, &bad, "in no order");
    bad = one;
    bad.steps[1].bytes = 4;
    expect(TTI_ALLREDUCE, &pair, &zero, &bad, "sends 8 bytes");
    bad = one;
    bad.steps[3].bytes = 4; /* the second element is left out */
    expect(TTI_ALLREDUCE, &pair, &zero, &bad, "without the combination");
    bad = one;
    bad.steps[3].bytes = 6;
    expect(TTI_ALLREDUCE, &pair, &zero, &bad, "no whole elements");
    bad = one;
    bad.steps[2].to_space = TTI_INPUT;
    bad.steps[2].from_space = TTI_OUTPUT;
    expect(TTI_ALLREDUCE, &pair, &zero, &bad, "writes to INPUT");
    bad = one;
    bad.steps[3].from = 60;
    expect(TTI_ALLREDUCE, &pair, &zero, &bad, "of space 2, which has 64");
    /* Rank 0 combines in the wrong order: received ∘ own. */
    zero = one;
    zero.steps[0].peer = zero.steps[1].peer = 1;
    expect(TTI_ALLREDUCE, &pair, &zero, &one, "out of rank order");
    /* With a commuting operation that is right, but not the same floating-point sum on both. */
    tti_shape commuting = pair;
    commuting.commutes = true;
    expect(TTI_ALLREDUCE, &commuting, &zero, &one, "in different ways");
}

/* Write after read, write after write and read after write, without the order they need. */
static void test_races(void)
{
    const tti_shape shape = {.size = 2, .count = 8, .element = 1, .radix = 2, .chunk = 1};
    script zero = {{SEND(TTI_OUTPUT, 0, 8, 1)}, {0}, 1};
    script one = {{RECV(TTI_OUTPUT, 0, 8, 0)}, {0}, 1};
    expect(TTI_BCAST, &shape, &zero, &one, NULL);
    script aside = {
        {RECV(TTI_SCRATCH, 0, 8, 0), LOCAL(TTI_STEP_COPY, TTI_SCRATCH, 0, TTI_OUTPUT, 0, 8)}, {0, 1}, 2};
    expect(TTI_BCAST, &shape, &zero, &aside, NULL);
    aside.after[1] = 0;
    expect(TTI_BCAST, &shape, &zero, &aside, "in no order"); /* read after write */
    script twice = {{RECV(TTI_OUTPUT, 0, 8, 0), RECV(TTI_OUTPUT, 4, 4, 0)}, {0, 1}, 2};
    twice.steps[1].tag = 1;
    script sends = {{SEND(TTI_OUTPUT, 0, 8, 1), SEND(TTI_OUTPUT, 4, 4, 1)}, {0, 0}, 2};
    sends.steps[1].tag = 1;
    expect(TTI_BCAST, &shape, &sends, &twice, NULL);
    twice.after[1] = 0;
    expect(TTI_BCAST, &shape, &sends, &twice, "in no order"); /* write after write */
    sends.steps[1].tag = twice.steps[1].tag = 0;
    expect(TTI_BCAST, &shape, &sends, &twice, "twice with tag 0");
    /* Rank 0 gets its data back over what it is still sending. */
    script back = {{SEND(TTI_OUTPUT, 0, 8, 1), RECV(TTI_OUTPUT, 0, 8, 1)}, {0, 1}, 2};
    const script returns = {{RECV(TTI_OUTPUT, 0, 8, 0), SEND(TTI_OUTPUT, 0, 8, 0)}, {0, 1}, 2};
    expect(TTI_BCAST, &shape, &back, &returns, NULL);
    back.after[1] = 0;
    expect(TTI_BCAST, &shape, &back, &returns, "in no order"); /* write after read */
}

/* What the executor takes from the schedule and not from its steps. */
static void test_said(void)
{
    const script zero = {{SEND(TTI_INPUT, 0, 8, 1), RECV(TTI_OUTPUT, 0, 8, 1),
                          LOCAL(TTI_STEP_REDUCE, TTI_INPUT, 0, TTI_OUTPUT, 0, 8)},
                         {0, 0, 1U << 1},
                         3},
                 one = {{SEND(TTI_INPUT, 0, 8, 0), RECV(TTI_SCRATCH, 0, 8, 0),
                         LOCAL(TTI_STEP_COPY, TTI_INPUT, 0, TTI_OUTPUT, 0, 8),
                         LOCAL(TTI_STEP_REDUCE, TTI_SCRATCH, 0, TTI_OUTPUT, 0, 8)},
                        {0, 0, 0, 1U << 1 | 1U << 2},
                        4};
    storage stores[2];
    tti_schedule *schedules[] = {&stores[0].schedule, &stores[1].schedule};
    lay_out(&zero, 0, &stores[0]);
    lay_out(&one, 0, &stores[1]);
    expect_schedules(TTI_ALLREDUCE, &pair, schedules, NULL);
    stores[1].schedule.element = 8;
    expect_schedules(TTI_ALLREDUCE, &pair, schedules, "rank 1 step 3 reduces elements of 8 bytes, not of 4");
    stores[1].schedule.element = 4;
    stores[0].schedule.messages = 1;
    expect_schedules(TTI_ALLREDUCE, &pair, schedules, "rank 0 has 2 messages, but says 1");
}

static void test_deadlock(void)
{
    const tti_shape shape = {.size = 2, .count = 0, .element = 1, .radix = 2, .chunk = 1};
    script zero = {{SEND(0, 0, 0, 1), RECV(0, 0, 0, 1)}, {0, 0}, 2};
    script one = {{SEND(0, 0, 0, 0), RECV(0, 0, 0, 0)}, {0, 0}, 2};
    expect(TTI_BARRIER, &shape, &zero, &one, NULL);
    /* Both wait for their send to complete before they start to receive: eager luck alone would save them. */
    zero.after[1] = one.after[1] = 1;
    expect(TTI_BARRIER, &shape, &zero, &one, "deadlock");
    script none = {.count = 0};
    expect(TTI_BARRIER, &shape, &none, &none, "may leave before");
    zero.count = 1;
    expect(TTI_BARRIER, &shape, &zero, &none, "does not await it");
    expect(TTI_BARRIER, &shape, &none, &(script){{RECV(0, 0, 0, 0)}, {0}, 1}, "does not send it");
}

int main(void)
{
    test_allreduce();
    test_races();
    test_said();
    test_deadlock();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine that the mutants' proofs rely on must itself find what goes wrong: hand-made schedules, right
 * ones, and such as go wrong in few orders only. */
#include "tests/proof/machine.h"
#include "tests/unit/collectives/scripts.h"

#define AFTER(step) (1U << (step))
#define RUNS 200

static const tti_shape pair = {.size = 2, .count = 8, .element = 1, .radix = 2, .chunk = 1, .window = 16};

/* Both show `shows` bytes of their OUTPUT. */
static bool right_shown(enum tti_collective collective, const tti_shape *shape, const script *zero,
                        const script *one, size_t shows)
{
    storage stores[2];
    lay_out(zero, shows, &stores[0]);
    lay_out(one, shows, &stores[1]);
    tti_schedule *const schedules[] = {&stores[0].schedule, &stores[1].schedule};
    return machine_right(&(machine_job){collective, shape, schedules}, RUNS, 1);
}

static bool right(enum tti_collective collective, const tti_shape *shape, const script *zero,
                  const script *one)
{
    return right_shown(collective, shape, zero, one, 0);
}

/* Two blocks through one place, as in tests/unit/collectives/test_checker_window.c. */
static void test_memory(void)
{
    const script writer = {{LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_WINDOW, 0, 4), POST(1, 1), AWAIT(1, 1),
                            LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 4, TTI_WINDOW, 0, 4), POST(2, 1)},
                           {0, AFTER(0), AFTER(1), AFTER(2), AFTER(3)},
                           5};
    const script reader = {{AWAIT(1, 0), FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 0, 4), POST(1, 0), AWAIT(2, 0),
                            FROM(TTI_STEP_COPY, 0, 0, TTI_OUTPUT, 4, 4)},
                           {0, AFTER(0), AFTER(1), AFTER(2), AFTER(3)},
                           5};
    EXPECT(right(TTI_BCAST, &pair, &writer, &reader));
    script bad = writer;
    bad.after[3] = AFTER(0); /* written again before it has been read */
    EXPECT(!right(TTI_BCAST, &pair, &bad, &reader));
    bad = writer;
    bad.after[4] = AFTER(2); /* shown before it is written */
    EXPECT(!right(TTI_BCAST, &pair, &bad, &reader));
    bad = reader;
    bad.after[2] = AFTER(0); /* shown as read before it has been */
    bad.after[3] = AFTER(1) | AFTER(2);
    EXPECT(!right(TTI_BCAST, &pair, &writer, &bad));
    bad = reader;
    bad.steps[3].tag = 1; /* the second block's write may not be seen yet */
    EXPECT(!right(TTI_BCAST, &pair, &writer, &bad));
    bad = reader;
    bad.steps[3] = (tti_step)LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_SCRATCH, 0, 4);
    EXPECT(!right(TTI_BCAST, &pair, &writer, &bad));
}

/* The root puts all into the other's buffer, which keeps a copy of what was there before. */
static void test_puts(void)
{
    const script root = {{AWAIT(0, 1), AWAIT(1, 1), PUT(1, TTI_OUTPUT, 0, 0, 8), POST(1, 1)},
                         {0, AFTER(0), AFTER(1), AFTER(2)},
                         4};
    const script other = {{LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_SCRATCH, 0, 8), POST(1, 0), AWAIT(1, 0),
                           LOCAL(TTI_STEP_COPY, TTI_OUTPUT, 0, TTI_SCRATCH, 8, 8),
                           LOCAL(TTI_STEP_COPY, TTI_SCRATCH, 8, TTI_OUTPUT, 0, 8)},
                          {0, AFTER(0), AFTER(1), AFTER(2), AFTER(3)},
                          5};
    EXPECT(right_shown(TTI_BCAST, &pair, &root, &other, 8));
    script bad = root;
    bad.after[3] = AFTER(1); /* says that it is there before it is */
    EXPECT(!right_shown(TTI_BCAST, &pair, &bad, &other, 8));
    bad = other;
    bad.after[3] = AFTER(1); /* reads what is there before it knows */
    EXPECT(!right_shown(TTI_BCAST, &pair, &root, &bad, 8));
    bad = other;
    bad.count = 2; /* ends before all is there */
    EXPECT(!right_shown(TTI_BCAST, &pair, &root, &bad, 8));
    bad = root;
    bad.after[2] = 0; /* does not know that the other has begun */
    bad.after[3] = AFTER(1) | AFTER(2);
    EXPECT(!right_shown(TTI_BCAST, &pair, &bad, &other, 8));
}

static void test_messages(void)
{
    const script root = {{SEND(TTI_OUTPUT, 0, 8, 1), RECV(TTI_OUTPUT, 0, 8, 1)}, {0, AFTER(0)}, 2};
    const script returns = {{RECV(TTI_OUTPUT, 0, 8, 0), SEND(TTI_OUTPUT, 0, 8, 0)}, {0, AFTER(0)}, 2};
    EXPECT(right(TTI_BCAST, &pair, &root, &returns));
    script crossed = {{SEND(0, 0, 0, 1), RECV(0, 0, 0, 1)}, {0, 0}, 2};
    script back = {{SEND(0, 0, 0, 0), RECV(0, 0, 0, 0)}, {0, 0}, 2};
    EXPECT(right(TTI_BARRIER, &pair, &crossed, &back));
    crossed.after[1] = back.after[1] = AFTER(0); /* no send is complete before its receive is begun */
    EXPECT(!right(TTI_BARRIER, &pair, &crossed, &back));
}

static void test_meeting(void)
{
    const script meets = {{POST(1, TTI_ALL), AWAIT(1, TTI_ALL)}, {0, AFTER(0)}, 2};
    script bad = meets;
    EXPECT(right(TTI_BARRIER, &pair, &meets, &meets));
    bad.steps[1] = (tti_step)POST(2, TTI_ALL); /* does not wait */
    EXPECT(!right(TTI_BARRIER, &pair, &meets, &bad));
}

/* Combined in the order of ranks; in the same way on both. */
static void test_combination(void)
{
    tti_shape shape = {.size = 2, .count = 2, .element = 4, .radix = 2, .chunk = 1, .window = 8};
    const script lower = {{LOCAL(TTI_STEP_COPY, TTI_INPUT, 0, TTI_WINDOW, 0, 8), POST(1, TTI_ALL),
                           AWAIT(1, 1), FROM(TTI_STEP_COPY, 1, 0, TTI_OUTPUT, 0, 8),
                           LOCAL(TTI_STEP_REDUCE, TTI_INPUT, 0, TTI_OUTPUT, 0, 8)},
                          {0, AFTER(0), AFTER(1), AFTER(2), AFTER(3)},
                          5};
    script upper = {{LOCAL(TTI_STEP_COPY, TTI_INPUT, 0, TTI_WINDOW, 0, 8), POST(1, 0), AWAIT(1, 0),
                     LOCAL(TTI_STEP_COPY, TTI_INPUT, 0, TTI_OUTPUT, 0, 8),
                     FROM(TTI_STEP_REDUCE, 0, 0, TTI_OUTPUT, 0, 8)},
                    {0, AFTER(0), AFTER(1), 0, AFTER(2) | AFTER(3)},
                    5};
    EXPECT(right(TTI_ALLREDUCE, &shape, &lower, &upper));
    upper = lower;
    upper.steps[2].peer = upper.steps[3].peer = 0;
    EXPECT(!right(TTI_ALLREDUCE, &shape, &lower, &upper));
    shape.commutes = true;
    EXPECT(!right(TTI_ALLREDUCE, &shape, &lower, &upper));
}

int main(void)
{
    test_memory();
    test_puts();
    test_messages();
    test_meeting();
    test_combination();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What a contract says decides what is proved: the schedules of one collective do not pass for another's. */
#include "tests/unit/collectives/expect_schedules.h"

#define RANKS 4

/* Proves the first algorithm of `built` to be the collective `claimed`; `why` is part of what is wrong. */
static void expect(enum tti_collective built, enum tti_collective claimed, const char *why)
{
    tti_schedule *schedules[RANKS];
    tti_shape shape = {.size = RANKS, .count = 3, .element = 4, .commutes = true, .radix = 2, .chunk = 4};
    for (shape.rank = 0; shape.rank < RANKS; shape.rank++)
        EXPECT(tti_algorithm_build(tti_collective_describe(built)->algorithms, &shape,
                                   &schedules[shape.rank]) == 0);
    expect_schedules(claimed, &shape, schedules, why);
    for (int r = 0; r < RANKS; r++)
        tti_schedule_free(schedules[r]);
}

int main(void)
{
    expect(TTI_TOY_SCAN, TTI_TOY_SCAN, NULL);
    expect(TTI_TOY_EXCHANGE, TTI_TOY_EXCHANGE, NULL);
    expect(TTI_TOY_SCAN, TTI_ALLREDUCE, "rank 0 ends without the combination of ranks 0 to 3 at byte 0");
    expect(TTI_ALLREDUCE, TTI_TOY_SCAN, "rank 0 ends without the data of rank 0 at byte 0");
    /* A rank that is not the root of a reduction has no OUTPUT. */
    expect(TTI_TOY_SCAN, TTI_REDUCE, "rank 1 step 0 writes bytes 0 to 12 of space 1, which has 0");
    /* Rank 0 gets the beginning of each contribution in both, rank 1 what comes next. */
    expect(TTI_ALLGATHER, TTI_TOY_EXCHANGE, "rank 1 ends without the data of rank 0 at byte 0");
    return 0;
}

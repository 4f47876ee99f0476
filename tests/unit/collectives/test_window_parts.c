/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a part lies that only two ranks know the size of: what is short passes with the post, if the WINDOW
 * begins in its line. That all ranks agree on places is the checker's to prove. */
#include "collectives/contract/contract.h"
#include "tests/unit/expect.h"

#define BESIDE 48
/* Of 1000 bytes each of the two readers has a share, a quarter of which is for a size and a small part. */
#define FRONT 1000
#define FRONT_SMALL 64
#define SIZE 3

/* Rank 0's parts for ranks 1 and 2, of so many bytes, go through its WINDOW. */
static tti_schedule *exchange(uint16_t beside, uint16_t front, size_t first, size_t second)
{
    const size_t counts[SIZE] = {0, first, second}, none[SIZE] = {0};
    const tti_shape shape = {.size = SIZE,
                             .element = 1,
                             .radix = 2,
                             .chunk = 1000,
                             .window = 8192,
                             .beside = beside,
                             .front = front,
                             .parted = true,
                             .send = {.counts = counts},
                             .recv = {.counts = none}};
    const tti_algorithm *window = tti_algorithm_find(TTI_ALLTOALLV, "window", sizeof "window" - 1);
    tti_schedule *schedule;
    EXPECT(window != NULL && tti_algorithm_build(window, &shape, &schedule) == 0);
    return schedule;
}

/* Where the size of the only part for that rank is told, and where the part is put. */
static void expect_places(uint16_t beside, uint16_t front, int rank, size_t bytes, size_t size_at,
                          size_t part_at)
{
    tti_schedule *schedule = exchange(beside, front, rank == 1 ? bytes : 0, rank == 2 ? bytes : 0);
    bool told = false, put = false;
    for (int i = 0; i < schedule->count; i++) {
        const tti_step *step = &schedule->steps[i];
        if (step->to_space != TTI_WINDOW) continue;
        if (step->kind == TTI_STEP_TELL && step->from == bytes) told = step->to == size_at;
        if (step->kind == TTI_STEP_COPY) put = step->to == part_at && step->bytes == bytes;
    }
    EXPECT(told && put);
    tti_schedule_free(schedule);
}

int main(void)
{
    const size_t word = TTI_STEP_WORD, small = 256, middle = 384;
    expect_places(BESIDE, 0, 1, BESIDE - word, 0, word);
    expect_places(BESIDE, 0, 1, BESIDE - word + 1, 0, BESIDE + small);
    expect_places(BESIDE, 0, 2, small - word, BESIDE, BESIDE + word);
    expect_places(0, 0, 1, small - word, 0, word);
    expect_places(0, 0, 1, small - word + 1, 0, 2 * small);
    expect_places(BESIDE, FRONT, 1, BESIDE - word, 0, word);
    expect_places(BESIDE, FRONT, 1, middle, 0, BESIDE + FRONT_SMALL);
    expect_places(BESIDE, FRONT, 1, middle + 1, 0, FRONT);
    expect_places(BESIDE, FRONT, 2, FRONT_SMALL - word, BESIDE, BESIDE + word);
    expect_places(BESIDE, FRONT, 2, middle, BESIDE, BESIDE + FRONT_SMALL + middle);
    return 0;
}

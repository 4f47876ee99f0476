/* SPDX-License-Identifier: BSD-3-Clause */
/* Large collectives in the forms that run by schedules, where ranks change, each when it likes, between
 * memory from tutti_mem_alloc() and their own: in each call all ranks must choose alike whether they read in
 * each other's buffers, and nobody may get its buffer back while others read there. */
#include <stdlib.h>
#include <string.h>

#include "tests/job/coll/forms.h"

#define MOST 200000 /* bytes of one rank's part */
#define TURNS 12

static const size_t sizes[] = {9000, 40000, MOST};
static char *shared, *plain;

/* Where a rank has its buffers in this turn: all in one kind of memory, or each as it likes. */
static char *memory_of(int turn)
{
    if (turn % 4 < 2) return turn % 2 == 0 ? shared : plain;
    return (turn * 7 + rank) % 3 == 0 ? plain : shared;
}

static int64_t value(int of_rank, int turn, size_t i)
{
    return (int64_t)i * (of_rank + 1) + turn;
}

static void fill(int64_t *values, size_t count, int turn)
{
    for (size_t i = 0; i < count; i++)
        values[i] = value(rank, turn, i);
}

static void expect_of(const int64_t *values, size_t count, int of_rank, int turn)
{
    for (size_t i = 0; i < count; i++)
        EXPECT(values[i] == value(of_rank, turn, i));
}

static void expect_sum(const int64_t *values, size_t count, int turn)
{
    const int64_t ranks = (int64_t)size * (size + 1) / 2;
    for (size_t i = 0; i < count; i++)
        EXPECT(values[i] == (int64_t)i * ranks + (int64_t)size * turn);
}

/* What is written over as soon as the call is over must have been read by then. */
static void test_reductions(enum form form, int turn, size_t count, int64_t *input, int64_t *output)
{
    const int root = turn % size;
    fill(input, count, turn);
    IN_FORM(form, allreduce, world, input, output, count, TUTTI_INT64, TUTTI_SUM);
    memset(input, -1, count * sizeof *input);
    expect_sum(output, count, turn);
    fill(output, count, turn);
    IN_FORM(form, allreduce, world, TUTTI_IN_PLACE, output, count, TUTTI_INT64, TUTTI_SUM);
    expect_sum(output, count, turn);
    fill(input, count, turn);
    IN_FORM(form, reduce, world, input, output, count, TUTTI_INT64, TUTTI_SUM, root);
    memset(input, -1, count * sizeof *input);
    if (rank == root) expect_sum(output, count, turn);
}

static void test_movements(enum form form, int turn, size_t count, int64_t *input, int64_t *output)
{
    const int root = (turn + 1) % size;
    const size_t bytes = count * sizeof *input;
    fill(output, count, rank == root ? turn : -1);
    IN_FORM(form, bcast, world, output, bytes, root);
    expect_of(output, count, root, turn);
    fill(input, count, turn);
    IN_FORM(form, allgather, world, input, output, bytes);
    memset(input, -1, bytes);
    for (int r = 0; r < size; r++)
        expect_of(output + (size_t)r * count, count, r, turn);
    IN_FORM(form, scatter, world, output, input, bytes, root);
    memset(output, -1, (size_t)size * bytes);
    expect_of(input, count, rank, turn);
    IN_FORM(form, gather, world, input, output, bytes, root);
    memset(input, -1, bytes);
    for (int r = 0; rank == root && r < size; r++)
        expect_of(output + (size_t)r * count, count, r, turn);
}

/* From each to each: `input` and `output` have room for all ranks' parts, of which one is `count` long. */
static void test_exchanges(enum form form, int turn, size_t count, int64_t *input, int64_t *output)
{
    const size_t all = count * (size_t)size, bytes = count * sizeof *input;
    size_t counts[64];
    for (int r = 0; r < size; r++)
        counts[r] = count;
    fill(input, all, turn);
    IN_FORM(form, alltoall, world, input, output, bytes);
    memset(input, -1, all * sizeof *input);
    for (int r = 0; r < size; r++)
        for (size_t i = 0; i < count; i++)
            EXPECT(output[(size_t)r * count + i] == value(r, turn, (size_t)rank * count + i));
    fill(output, all, turn);
    IN_FORM(form, alltoall, world, TUTTI_IN_PLACE, output, bytes);
    for (int r = 0; r < size; r++)
        EXPECT(output[(size_t)r * count] == value(r, turn, (size_t)rank * count));
    fill(input, count, turn);
    IN_FORM(form, allgatherv, world, input, output, counts, NULL, TUTTI_INT64);
    memset(input, -1, bytes);
    for (int r = 0; r < size; r++)
        expect_of(output + (size_t)r * count, count, r, turn);
}

static void test_parts_of_sums(enum form form, int turn, size_t count, int64_t *input, int64_t *output)
{
    const int64_t up_to = (int64_t)(rank + 1) * (rank + 2) / 2, all = (int64_t)size * (size + 1) / 2;
    const size_t first = (size_t)rank * count;
    fill(input, count, turn);
    IN_FORM(form, scan, world, input, output, count, TUTTI_INT64, TUTTI_SUM);
    memset(input, -1, count * sizeof *input);
    for (size_t i = 0; i < count; i++)
        EXPECT(output[i] == (int64_t)i * up_to + (int64_t)(rank + 1) * turn);
    fill(output, count, turn);
    IN_FORM(form, exscan, world, TUTTI_IN_PLACE, output, count, TUTTI_INT64, TUTTI_SUM);
    for (size_t i = 0; rank > 0 && i < count; i++)
        EXPECT(output[i] == (int64_t)i * (up_to - rank - 1) + (int64_t)rank * turn);
    fill(input, count * (size_t)size, turn);
    IN_FORM(form, reduce_scatter_block, world, input, output, count, TUTTI_INT64, TUTTI_SUM);
    memset(input, -1, count * (size_t)size * sizeof *input);
    for (size_t i = 0; i < count; i++)
        EXPECT(output[i] == (int64_t)(first + i) * all + (int64_t)size * turn);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    const size_t bytes = (size_t)(2 * size) * MOST;
    EXPECT(size <= 64);
    plain = malloc(bytes);
    EXPECT(plain != NULL);
    OK(tutti_mem_alloc(world, bytes, (void **)&shared));
    for (int turn = 0; turn < TURNS; turn++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const size_t count = sizes[s] / sizeof(int64_t), half = (size_t)size * MOST / sizeof(int64_t);
            int64_t *input = (int64_t *)(void *)memory_of(turn), *output = input + half;
            const enum form form = (enum form)(turn % FORMS);
            test_reductions(form, turn, count, input, output);
            test_movements(form, turn, count, input, output);
            test_exchanges(form, turn, count, input, output);
            test_parts_of_sums(form, turn, count, input, output);
        }
    OK(tutti_barrier(world));
    OK(tutti_mem_free(shared));
    free(plain);
    return job_close();
}

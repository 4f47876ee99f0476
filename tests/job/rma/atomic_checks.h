/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations of all ranks on one place, and every type with every operation. */
#ifndef TESTS_JOB_RMA_ATOMIC_CHECKS_H
#define TESTS_JOB_RMA_ATOMIC_CHECKS_H

#include <complex.h>

#include "tests/job/rma/rma_job.h"

#define TIMES 200

/* Every rank, the owner included, counts on rank 0's words; every old value is seen by one rank alone. */
static void check_counters(int shared)
{
    job_window w = job_window_open(64 + (size_t)size * TIMES, shared);
    const int64_t one = 1;
    for (int i = 0; i < TIMES; i++) {
        int64_t old;
        OK(tutti_fetch_op(w.window, &one, &old, TUTTI_INT64, TUTTI_SUM, 0, 0));
        EXPECT(old >= 0 && old < (int64_t)size * TIMES);
        const uint8_t mark = 1;
        OK(tutti_accumulate(w.window, &mark, 1, TUTTI_UINT8, TUTTI_SUM, 0, 64 + (size_t)old, NULL));
        const double half = 0.5;
        OK(tutti_accumulate(w.window, &half, 1, TUTTI_DOUBLE, TUTTI_SUM, 0, 8, NULL));
        const long double quarter = 0.25L;
        OK(tutti_accumulate(w.window, &quarter, 1, TUTTI_LONG_DOUBLE, TUTTI_SUM, 0, 16, NULL));
    }
    OK(tutti_flush(w.window, 0));
    OK(tutti_barrier(world));
    long double sum;
    OK(tutti_fetch_op(w.window, NULL, &sum, TUTTI_LONG_DOUBLE, TUTTI_NO_OP, 0, 16));
    EXPECT(sum == 0.25L * TIMES * size);
    if (rank == 0) {
        EXPECT(*(int64_t *)w.base == (int64_t)size * TIMES && *(double *)(w.base + 8) == 0.5 * TIMES * size);
        for (int i = 0; i < size * TIMES; i++)
            EXPECT(w.base[64 + i] == 1);
    }
    OK(tutti_barrier(world));
    job_window_close(&w);
}

/* A lock made of compare-and-swap guards a counter that is only put and got. */
static void check_lock(int shared)
{
    job_window w = job_window_open(16, shared);
    for (int i = 0; i < TIMES / 10; i++) {
        const int32_t open = 0, mine = rank + 1;
        int32_t old;
        do
            OK(tutti_compare_swap(w.window, &open, &mine, &old, TUTTI_INT32, 0, 4));
        while (old != 0);
        int64_t count;
        OK(tutti_get(w.window, &count, sizeof count, 0, 8, NULL));
        count++;
        OK(tutti_put(w.window, &count, sizeof count, 0, 8, NULL));
        OK(tutti_flush(w.window, 0));
        OK(tutti_fetch_op(w.window, &open, &old, TUTTI_INT32, TUTTI_REPLACE, 0, 4));
        EXPECT(old == mine);
    }
    OK(tutti_barrier(world));
    if (rank == 0) EXPECT(*(int64_t *)(w.base + 8) == (int64_t)(TIMES / 10) * size);
    OK(tutti_barrier(world));
    job_window_close(&w);
}

/* Each rank adds its rank + 1 to many elements of all ranks; odd counts and more than one chunk. */
static void check_arrays(int shared)
{
    const size_t count = 3001;
    job_window w = job_window_open(count * sizeof(double complex), shared);
    double complex *values = malloc(count * sizeof *values);
    EXPECT(values != NULL);
    for (size_t i = 0; i < count; i++)
        values[i] = (rank + 1) * (1.0 + 2.0 * I) * (double)(i % 10);
    tutti_request *requests[64];
    for (int to = 0; to < size; to++)
        OK(tutti_accumulate(w.window, values, count, TUTTI_DOUBLE_COMPLEX, TUTTI_SUM, to, 0, &requests[to]));
    OK(tutti_waitall(size, requests, NULL));
    OK(tutti_barrier(world));
    const double all = size * (size + 1) / 2.0;
    const double complex *mine = (const void *)w.base;
    for (size_t i = 0; i < count; i++)
        EXPECT(creal(mine[i]) == all * (double)(i % 10) && cimag(mine[i]) == 2 * all * (double)(i % 10));
    OK(tutti_barrier(world));
    free(values);
    job_window_close(&w);
}

static void fetch_into_operands(tutti_window *window, int target, size_t offset)
{
    double complex z = 1.0 + 2.0 * I;
    OK(tutti_fetch_op(window, &z, &z, TUTTI_DOUBLE_COMPLEX, TUTTI_REPLACE, target, offset));
    EXPECT(z == 0.0);
    z = 3.0 + 1.0 * I;
    OK(tutti_fetch_op(window, &z, &z, TUTTI_DOUBLE_COMPLEX, TUTTI_SUM, target, offset));
    EXPECT(z == 1.0 + 2.0 * I);
    OK(tutti_fetch_op(window, NULL, &z, TUTTI_DOUBLE_COMPLEX, TUTTI_NO_OP, target, offset));
    EXPECT(z == 4.0 + 3.0 * I);
    int64_t n = 5;
    OK(tutti_fetch_op(window, &n, &n, TUTTI_INT64, TUTTI_SUM, target, offset + 16));
    EXPECT(n == 0);
    OK(tutti_fetch_op(window, NULL, &n, TUTTI_INT64, TUTTI_NO_OP, target, offset + 16));
    EXPECT(n == 5);
}

/* The operand lies where the old value goes: of native elements and others, of the own part and others'. */
static void check_one_buffer(int shared)
{
    job_window w = job_window_open(48, shared);
    fetch_into_operands(w.window, rank, 0);
    fetch_into_operands(w.window, (rank + 1) % size, 24);
    OK(tutti_barrier(world));
    job_window_close(&w);
}

/* All named types take part in a maximum or, where there is none, a sum or maxloc; the result is known. */
static void check_types(int shared)
{
    static const struct {
        tutti_type type;
        size_t bytes;
    } types[] = {{TUTTI_INT8, 1},  {TUTTI_INT16, 2},  {TUTTI_INT32, 4},  {TUTTI_INT64, 8},
                 {TUTTI_UINT8, 1}, {TUTTI_UINT16, 2}, {TUTTI_UINT32, 4}, {TUTTI_UINT64, 8}};
    job_window w = job_window_open(256, shared);
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const int64_t wide = rank + 1;
        unsigned char value[8];
        memcpy(value, &wide, sizeof value); /* little-endian: the low bytes are the number */
        OK(tutti_accumulate(w.window, value, 1, types[t].type, TUTTI_MAX, 0, t * 8, NULL));
        OK(tutti_accumulate(w.window, value, 1, types[t].type, TUTTI_BOR, 0, 64 + t * 8, NULL));
    }
    const float complex z = 1.0f + 2.0f * I;
    OK(tutti_accumulate(w.window, &z, 1, TUTTI_FLOAT_COMPLEX, TUTTI_SUM, 0, 132, NULL)); /* not native */
    OK(tutti_accumulate(w.window, &z, 1, TUTTI_FLOAT_COMPLEX, TUTTI_SUM, 0, 144, NULL)); /* native */
    const struct {
        double value;
        int index;
    } pair = {rank % 3, -rank};
    OK(tutti_accumulate(w.window, &pair, 1, TUTTI_DOUBLE_INT, TUTTI_MINLOC, 0, 160, NULL));
    OK(tutti_flush(w.window, 0));
    OK(tutti_barrier(world));
    if (rank == 0) {
        int bits = 0;
        for (int r = 1; r <= size; r++)
            bits |= r;
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            uint64_t most = 0, any = 0;
            memcpy(&most, w.base + t * 8, types[t].bytes);
            memcpy(&any, w.base + 64 + t * 8, types[t].bytes);
            EXPECT(most == (uint64_t)size && any == (uint64_t)bits);
        }
        float complex sum;
        for (int at = 132; at <= 144; at += 12) {
            memcpy(&sum, w.base + at, sizeof sum);
            EXPECT(crealf(sum) == (float)size && cimagf(sum) == 2.0f * (float)size);
        }
        int index;
        memcpy(&index, w.base + 168, sizeof index);
        EXPECT(index == -((size - 1) / 3 * 3));
    }
    OK(tutti_barrier(world));
    job_window_close(&w);
}

#endif

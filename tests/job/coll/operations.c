/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of every element type, and by operations of the user's that do not commute: every algorithm that
 * the sizes select must combine in rank order, for every root. */
#include <complex.h>
#include <string.h>

#include "tests/job/coll/affine.h"
#include "tests/job/job.h"

static const size_t counts[] = {1, 3, 64, 700, 5000, 20000};
#define COUNTS (sizeof counts / sizeof counts[0])

/* 2×2 matrices over the integers modulo 2^16, a 16-byte element with padding of its own. */
typedef struct {
    uint32_t m[4];
} matrix;

/* A range of ranks, an empty marker for anything combined out of order: shows the order itself. */
typedef struct {
    int16_t first, last;
    char broken;
} range;

static void multiply(const void *in, void *inout, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *a = ((const matrix *)in)[i].m;
        uint32_t *b = ((matrix *)inout)[i].m;
        const matrix product = {{(a[0] * b[0] + a[1] * b[2]) & 0xffff, (a[0] * b[1] + a[1] * b[3]) & 0xffff,
                                 (a[2] * b[0] + a[3] * b[2]) & 0xffff, (a[2] * b[1] + a[3] * b[3]) & 0xffff}};
        ((matrix *)inout)[i] = product;
    }
}

static void append(const void *in, void *inout, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++) {
        const range *a = &((const range *)in)[i];
        range *b = &((range *)inout)[i];
        b->broken = (char)(a->broken || b->broken || a->last + 1 != b->first);
        b->first = a->first;
    }
}

static affine affine_of(int r, size_t i)
{
    return (affine){2 * (uint32_t)(r + (int)(i % 97)) + 3, (uint32_t)i * 31 + (uint32_t)r};
}

static matrix matrix_of(int r, size_t i)
{
    return (matrix){{(uint32_t)r + 1, (uint32_t)i & 0xff, 1, (uint32_t)(r * 3) & 0xff}};
}

/* Zeroed: valgrind, which runs this too, cannot see what other processes write, neither into shared memory
 * nor into this one's. Padding that one rank brings would pass for another's result. */
static void *new_memory(size_t bytes)
{
    void *memory = calloc(1, bytes + 1);
    EXPECT(memory != NULL);
    return memory;
}

static void test_affine(size_t n)
{
    long calls = 0;
    tutti_op *op;
    OK(tutti_op_create(affine_compose, 0, &calls, &op));
    affine *mine = new_memory(n * sizeof *mine), *all = new_memory(n * sizeof *all);
    for (size_t i = 0; i < n; i++)
        mine[i] = affine_of(rank, i);
    OK(tutti_allreduce(world, mine, all, n, TUTTI_TYPE_BYTES(sizeof *mine), op));
    OK(tutti_op_free(&op));
    EXPECT(op == NULL);
    for (size_t i = 0; i < n; i++) {
        affine expected = affine_of(size - 1, i);
        for (int r = size - 2; r >= 0; r--) {
            const affine left = affine_of(r, i);
            affine_compose(&left, &expected, 1, &calls);
        }
        EXPECT(expected.a == all[i].a && expected.b == all[i].b);
    }
    free(mine);
    free(all);
}

static void test_matrix(size_t n, int root)
{
    tutti_op *op;
    tutti_request *request;
    OK(tutti_op_create(multiply, 0, NULL, &op));
    matrix *mine = new_memory(n * sizeof *mine), *all = new_memory(n * sizeof *all);
    for (size_t i = 0; i < n; i++)
        mine[i] = matrix_of(rank, i);
    /* The operation is freed while it is in use. */
    OK(tutti_ireduce(world, mine, all, n, TUTTI_TYPE_BYTES(sizeof *mine), op, root, &request));
    OK(tutti_op_free(&op));
    OK(tutti_wait(&request, NULL));
    for (size_t i = 0; rank == root && i < n; i++) {
        matrix expected = matrix_of(size - 1, i);
        for (int r = size - 2; r >= 0; r--) {
            const matrix left = matrix_of(r, i);
            multiply(&left, &expected, 1, NULL);
        }
        EXPECT(memcmp(&expected, &all[i], sizeof expected) == 0);
    }
    free(mine);
    free(all);
}

static void test_order(size_t n, int root)
{
    tutti_op *op;
    OK(tutti_op_create(append, 0, NULL, &op));
    range *all = new_memory(n * sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i].first = all[i].last = (int16_t)rank;
    OK(tutti_reduce(world, rank == root ? TUTTI_IN_PLACE : all, all, n, TUTTI_TYPE_BYTES(sizeof *all), op,
                    root));
    for (size_t i = 0; rank == root && i < n; i++)
        EXPECT(all[i].first == 0 && all[i].last == size - 1 && !all[i].broken);
    OK(tutti_op_free(&op));
    free(all);
}

#define TEST_TYPE(ctype, type, value_of)                                                                     \
    do {                                                                                                     \
        ctype *mine = new_memory(n * sizeof *mine), *all = new_memory(n * sizeof *all);                      \
        for (size_t i = 0; i < n; i++)                                                                       \
            mine[i] = (ctype)((ctype)(value_of) + (ctype)rank);                                              \
        OK(tutti_allreduce(world, mine, all, n, type, TUTTI_SUM));                                           \
        for (size_t i = 0; i < n; i++)                                                                       \
            EXPECT(all[i] == (ctype)((ctype)size * (ctype)(value_of) + (ctype)(size * (size - 1) / 2)));     \
        free(mine);                                                                                          \
        free(all);                                                                                           \
    } while (0)

/* Small whole numbers, so that the sum is exact in every type; each rank has its own. */
static void test_types(size_t n)
{
    TEST_TYPE(int8_t, TUTTI_INT8, i % 7);
    TEST_TYPE(uint8_t, TUTTI_UINT8, i % 15);
    TEST_TYPE(int16_t, TUTTI_INT16, i % 100);
    TEST_TYPE(uint16_t, TUTTI_UINT16, i % 1000);
    TEST_TYPE(int32_t, TUTTI_INT32, i);
    TEST_TYPE(uint32_t, TUTTI_UINT32, i * 5);
    TEST_TYPE(int64_t, TUTTI_INT64, i * 1000003);
    TEST_TYPE(uint64_t, TUTTI_UINT64, i << 33);
    TEST_TYPE(float, TUTTI_FLOAT, i % 1000);
    TEST_TYPE(double, TUTTI_DOUBLE, i);
    TEST_TYPE(long double, TUTTI_LONG_DOUBLE, i);
    TEST_TYPE(float complex, TUTTI_FLOAT_COMPLEX, (float)(i % 100) + 3.0f * I);
    TEST_TYPE(double complex, TUTTI_DOUBLE_COMPLEX, (double)i - 2.0 * I);
}

static void test_location(size_t n)
{
    struct {
        double value;
        int index;
    } *mine = new_memory(n * sizeof *mine), *all = new_memory(n * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        memset(&mine[i], 0, sizeof mine[i]);
        mine[i].value = (double)(((unsigned)rank * 7 + i) % (unsigned)size);
        mine[i].index = rank;
    }
    OK(tutti_allreduce(world, mine, all, n, TUTTI_DOUBLE_INT, TUTTI_MAXLOC));
    for (size_t i = 0; i < n; i++) {
        int best = 0;
        for (int r = 1; r < size; r++)
            if (((unsigned)r * 7 + i) % (unsigned)size > ((unsigned)best * 7 + i) % (unsigned)size) best = r;
        EXPECT(all[i].index == best && all[i].value == (double)(((unsigned)best * 7 + i) % (unsigned)size));
    }
    free(mine);
    free(all);
}

static void test_logic(size_t n)
{
    uint16_t *mine = new_memory(n * sizeof *mine), *all = new_memory(n * sizeof *all);
    for (size_t i = 0; i < n; i++)
        mine[i] = (uint16_t)(1u << (((unsigned)rank + i) % 16));
    OK(tutti_allreduce(world, mine, all, n, TUTTI_UINT16, TUTTI_BOR));
    for (size_t i = 0; i < n; i++) {
        uint16_t expected = 0;
        for (int r = 0; r < size; r++)
            expected |= (uint16_t)(1u << (((unsigned)r + i) % 16));
        EXPECT(all[i] == expected);
    }
    free(mine);
    free(all);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    for (size_t c = 0; c < COUNTS; c++) {
        test_types(counts[c]);
        test_location(counts[c]);
        test_logic(counts[c]);
        test_affine(counts[c]);
        for (int root = 0; root < size; root++) {
            test_matrix(counts[c], root);
            test_order(counts[c], root);
        }
    }
    return job_close();
}

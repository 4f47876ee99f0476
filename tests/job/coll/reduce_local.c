/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti_reduce_local() combines as the collectives do: contributions folded by it in rank order are what
 * reductions and prefix sums give. Also before tutti_init(), and of several threads one after the other. */
#include <pthread.h>
#include <sched.h>

#include "tests/job/coll/affine.h"
#include "tests/job/job.h"

#define COUNT 700
#define THREADS 3
#define CALLS 100

/* The contributions of ranks 0 … last. */
static void fold(const char *all, int last, size_t part, char *result, tutti_type type, tutti_op *op)
{
    memcpy(result, all + (size_t)last * part, part);
    for (int r = last - 1; r >= 0; r--)
        OK(tutti_reduce_local(all + (size_t)r * part, result, COUNT, type, op));
}

/* Bit for bit: of elements whose result does not depend on where one puts the brackets. */
static void compare(const void *mine, size_t element, tutti_type type, tutti_op *op)
{
    const size_t part = COUNT * element;
    char *all = malloc((size_t)size * part), *folded = malloc(part), *result = malloc(part);
    EXPECT(all != NULL && folded != NULL && result != NULL);
    OK(tutti_allgather(world, mine, all, part));
    fold(all, size - 1, part, folded, type, op);
    OK(tutti_allreduce(world, mine, result, COUNT, type, op));
    EXPECT(memcmp(folded, result, part) == 0);
    fold(all, rank, part, folded, type, op);
    OK(tutti_scan(world, mine, result, COUNT, type, op));
    EXPECT(memcmp(folded, result, part) == 0);
    free(all);
    free(folded);
    free(result);
}

static void built_in(void)
{
    tutti_op *const ops[] = {TUTTI_SUM, TUTTI_PROD, TUTTI_MIN, TUTTI_MAX, TUTTI_BAND, TUTTI_BOR, TUTTI_BXOR};
    int64_t whole[COUNT];
    double real[COUNT];
    for (int i = 0; i < COUNT; i++) {
        whole[i] = (int64_t)((uint64_t)(rank + 2) * 0x9e3779b97f4a7c15u >> (i % 7)) ^ i;
        real[i] = rank % 5 + i;
    }
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
        compare(whole, sizeof *whole, TUTTI_INT64, ops[o]);
    compare(real, sizeof *real, TUTTI_DOUBLE, TUTTI_SUM);
    compare(real, sizeof *real, TUTTI_DOUBLE, TUTTI_MAX);
}

/* After an error `inout` is as it was. */
static void refuse(int code, const void *in, void *inout, size_t count, tutti_type type, tutti_op *op)
{
    EXPECT(tutti_reduce_local(in, inout, count, type, op) == code);
    EXPECT(strstr(tutti_error_detail(), "tutti_reduce_local") != NULL);
}

static void refusals(tutti_op *user)
{
    const int arg = TUTTI_ERR_ARG;
    int in[2] = {3, 4}, inout[2] = {1, 2};
    char *const end = (char *)(inout + 2);
    refuse(arg, NULL, inout, 1, TUTTI_INT32, TUTTI_SUM);
    refuse(arg, in, NULL, 1, TUTTI_INT32, TUTTI_SUM);
    refuse(arg, TUTTI_IN_PLACE, inout, 1, TUTTI_INT32, TUTTI_SUM);
    refuse(arg, in, TUTTI_IN_PLACE, 1, TUTTI_INT32, TUTTI_SUM);
    refuse(arg, in, inout, SIZE_MAX, TUTTI_INT32, TUTTI_SUM);
    refuse(arg, inout, inout, 1, TUTTI_INT32, TUTTI_SUM);
    refuse(arg, end - 7, end - 4, 1, TUTTI_INT32, TUTTI_SUM);
    refuse(arg, end - 4, end - 7, 1, TUTTI_INT32, user);
    refuse(TUTTI_ERR_OP, in, inout, 1, TUTTI_INT32, NULL);
    refuse(TUTTI_ERR_OP, in, inout, 1, TUTTI_INT32, TUTTI_REPLACE);
    refuse(TUTTI_ERR_TYPE, in, inout, 1, 0, TUTTI_SUM);
    refuse(TUTTI_ERR_TYPE, in, inout, 1, TUTTI_TYPE_BYTES(0), user);
    refuse(TUTTI_ERR_TYPE, in, inout, 1, TUTTI_FLOAT, TUTTI_BAND);
    EXPECT(inout[0] == 1 && inout[1] == 2);
}

static void own(void)
{
    tutti_op *op;
    affine mine[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        mine[i] = (affine){2 * ((uint32_t)rank + i % 97) + 3, i * 31 + (uint32_t)rank};
    OK(tutti_op_create(affine_compose, 0, NULL, &op));
    compare(mine, sizeof *mine, TUTTI_TYPE_BYTES(sizeof *mine), op);
    refusals(op);
    OK(tutti_op_free(&op));
}

static _Atomic int inside;

static void count_inside(const void *in, void *inout, size_t count, void *context)
{
    (void)in;
    EXPECT(inside++ == 0);
    sched_yield(); /* to a thread that calls it, too, if one may */
    *(int *)inout += (int)count;
    ++*(long *)context;
    EXPECT(--inside == 0);
}

static void *call_often(void *op)
{
    int in[8] = {0}, inout[8] = {0};
    for (int i = 0; i < CALLS; i++)
        OK(tutti_reduce_local(in, inout, 8, TUTTI_TYPE_BYTES(sizeof(int)), op));
    EXPECT(inout[0] == 8 * CALLS);
    return NULL;
}

static void threads(void)
{
    tutti_op *op;
    long calls = 0;
    pthread_t thread[THREADS];
    OK(tutti_op_create(count_inside, 1, &calls, &op));
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&thread[i], NULL, call_often, op) == 0);
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_join(thread[i], NULL) == 0);
    EXPECT(calls == THREADS * CALLS);
    OK(tutti_op_free(&op));
}

int main(void)
{
    int in[] = {2, -7, 0}, inout[] = {3, 5, 1};
    OK(tutti_reduce_local(in, inout, 2, TUTTI_INT32, TUTTI_SUM));
    OK(tutti_reduce_local(NULL, NULL, 0, TUTTI_INT32, TUTTI_SUM));
    /* a type that the operation does not take, and an operation that nothing takes but one-sided access */
    EXPECT(tutti_reduce_local(in, inout, 1, TUTTI_DOUBLE, TUTTI_BAND) == TUTTI_ERR_TYPE);
    EXPECT(tutti_reduce_local(in, inout, 2, TUTTI_INT32, TUTTI_NO_OP) == TUTTI_ERR_OP);
    EXPECT(inout[0] == 5 && inout[1] == -2 && inout[2] == 1);
    threads();
    job_open(TUTTI_THREAD_MULTIPLE);
    built_in();
    own();
    threads();
    return job_close();
}

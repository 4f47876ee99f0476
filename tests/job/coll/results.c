/* SPDX-License-Identifier: BSD-3-Clause */
/* Every collective in its three forms, at many sizes and every root, each result checked on every rank. */
#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

enum { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };
#define MOST_BYTES ((size_t)300000)

static const size_t counts[] = {0, 1, 2, 7, 100, 1000, 5000, 33000};
#define COUNTS (sizeof counts / sizeof counts[0])

/* A persistent request is started twice: the second time must not see anything of the first. */
static void finish(int form, tutti_request **request)
{
    if (form == PERSISTENT) OK(tutti_start(*request));
    OK(tutti_wait(request, NULL));
    if (form == PERSISTENT) OK(tutti_request_free(request));
    EXPECT(*request == NULL);
}

static void test_barrier(int form)
{
    tutti_request *request = NULL;
    if (form == BLOCKING) {
        OK(tutti_barrier(world));
        return;
    }
    OK(form == NONBLOCKING ? tutti_ibarrier(world, &request) : tutti_barrier_init(world, &request));
    finish(form, &request);
}

static void test_bcast(int form, unsigned char *buf, size_t bytes, int root)
{
    tutti_request *request = NULL;
    memset(buf, 0xee, bytes + 1);
    if (rank == root) payload_fill(buf, bytes, (uint64_t)root + bytes);
    if (form == BLOCKING) {
        OK(tutti_bcast(world, buf, bytes, root));
    } else {
        OK(form == NONBLOCKING ? tutti_ibcast(world, buf, bytes, root, &request)
                               : tutti_bcast_init(world, buf, bytes, root, &request));
        finish(form, &request);
    }
    EXPECT(payload_is(buf, bytes, (uint64_t)root + bytes) && buf[bytes] == 0xee);
}

static void test_allgather(int form, unsigned char *send, unsigned char *recv, size_t bytes, int in_place)
{
    tutti_request *request = NULL;
    unsigned char *const mine = recv + bytes * (size_t)rank;
    const void *from = in_place ? TUTTI_IN_PLACE : send;
    memset(recv, 0xee, bytes * (size_t)size + 1);
    payload_fill(in_place ? mine : send, bytes, (uint64_t)rank * 3);
    if (form == BLOCKING) {
        OK(tutti_allgather(world, from, recv, bytes));
    } else {
        OK(form == NONBLOCKING ? tutti_iallgather(world, from, recv, bytes, &request)
                               : tutti_allgather_init(world, from, recv, bytes, &request));
        finish(form, &request);
    }
    for (int r = 0; r < size; r++)
        EXPECT(payload_is(recv + bytes * (size_t)r, bytes, (uint64_t)r * 3));
    EXPECT(recv[bytes * (size_t)size] == 0xee);
}

static int64_t element(int r, size_t i)
{
    return (int64_t)i * 7 + r + 1;
}

static int64_t sum(size_t i)
{
    return (int64_t)i * 7 * size + (int64_t)size * (size + 1) / 2;
}

static void fill(int64_t *send, int64_t *recv, size_t count, int in_place)
{
    for (size_t i = 0; i <= count; i++)
        recv[i] = -1;
    for (size_t i = 0; i < count; i++)
        (in_place ? recv : send)[i] = element(rank, i);
}

static void test_allreduce(int form, int64_t *send, int64_t *recv, size_t count, int in_place)
{
    tutti_request *request = NULL;
    const void *from = in_place ? TUTTI_IN_PLACE : send;
    fill(send, recv, count, in_place);
    if (form == BLOCKING) {
        OK(tutti_allreduce(world, from, recv, count, TUTTI_INT64, TUTTI_SUM));
    } else {
        OK(form == NONBLOCKING
               ? tutti_iallreduce(world, from, recv, count, TUTTI_INT64, TUTTI_SUM, &request)
               : tutti_allreduce_init(world, from, recv, count, TUTTI_INT64, TUTTI_SUM, &request));
        finish(form, &request);
    }
    for (size_t i = 0; i < count; i++)
        EXPECT(recv[i] == sum(i) && (in_place || send[i] == element(rank, i)));
    EXPECT(recv[count] == -1);
}

static void test_reduce(int form, int64_t *send, int64_t *recv, size_t count, int root, int in_place)
{
    tutti_request *request = NULL;
    const int here = rank == root;
    const void *from = in_place && here ? TUTTI_IN_PLACE : send;
    fill(send, recv, count, in_place && here);
    if (form == BLOCKING) {
        OK(tutti_reduce(world, from, here ? recv : NULL, count, TUTTI_INT64, TUTTI_SUM, root));
    } else {
        OK(form == NONBLOCKING
               ? tutti_ireduce(world, from, recv, count, TUTTI_INT64, TUTTI_SUM, root, &request)
               : tutti_reduce_init(world, from, recv, count, TUTTI_INT64, TUTTI_SUM, root, &request));
        finish(form, &request);
    }
    for (size_t i = 0; i < count; i++)
        EXPECT(recv[i] == (here ? sum(i) : -1));
}

/* Nobody leaves a barrier before the last has entered: rank 0 enters late, and tells when it did by a message
 * that everybody must find already there. */
static void test_barrier_holds(void)
{
    for (int late = 0; late < size; late++) {
        if (rank == late) {
            for (int r = 0; r < size; r++)
                if (r != late) OK(tutti_send(world, NULL, 0, r, 77));
        }
        OK(tutti_barrier(world));
        int found = rank == late;
        while (!found) /* sent before the barrier, but it may still have to be taken out of the transport */
            OK(tutti_iprobe(world, late, 77, &found, NULL));
        if (rank != late) OK(tutti_recv(world, NULL, 0, late, 77, NULL));
    }
}

/* A floating-point sum has the same bits everywhere, whatever its rounding. */
static void test_same_bits(void)
{
    static const size_t lengths[] = {1, 17, 1000, 40000};
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        const size_t n = lengths[l];
        float *mine = malloc(n * sizeof *mine), *all = malloc(n * sizeof *all),
              *first = malloc(n * sizeof *first);
        EXPECT(mine != NULL && all != NULL && first != NULL);
        for (size_t i = 0; i < n; i++)
            mine[i] = 1.0f / (float)(3 + (unsigned)rank * 7 + i % 13) * (rank % 2 == 0 ? 1e6f : -1e-3f);
        OK(tutti_allreduce(world, mine, all, n, TUTTI_FLOAT, TUTTI_SUM));
        memcpy(first, all, n * sizeof *first);
        OK(tutti_bcast(world, first, n * sizeof *first, 0));
        EXPECT(memcmp(first, all, n * sizeof *first) == 0);
        free(mine);
        free(all);
        free(first);
    }
}

static void test_sizes(int form, void *a, void *b)
{
    for (size_t c = 0; c < COUNTS; c++) {
        const size_t count = counts[c];
        for (int root = 0; root < size; root++) {
            test_bcast(form, a, count * 8, root);
            test_reduce(form, a, b, count, root, 0);
            test_reduce(form, a, b, count, root, 1);
        }
        test_allreduce(form, a, b, count, 0);
        test_allreduce(form, a, b, count, 1);
        test_allgather(form, a, b, count, 0);
        test_allgather(form, a, b, count, 1);
    }
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    void *a = malloc(MOST_BYTES), *b = malloc(MOST_BYTES * (size_t)size);
    EXPECT(a != NULL && b != NULL);
    for (int form = 0; form < FORMS; form++) {
        test_barrier(form);
        test_sizes(form, a, b);
    }
    test_barrier_holds();
    test_same_bits();
    free(a);
    free(b);
    return job_close();
}

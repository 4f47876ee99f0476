/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives in their three forms, at many sizes, each result checked on every rank; persistent ones are
 * started twice with other data: the second time must not see anything of the first. Every rank is the root,
 * and late at a barrier; of many ranks some are, among them the first and the last. */
#include <string.h>

#include "tests/job/coll/forms.h"
#include "tests/job/payload.h"

#define MOST_BYTES ((size_t)300000)
#define EACH_SPECIAL 16 /* ranks; of more not each one is */
#define SPECIAL_EVERY 9

static const size_t counts[] = {0, 1, 2, 7, 100, 1000, 5000, 33000};
#define COUNTS (sizeof counts / sizeof counts[0])

static void test_bcast(enum form form, unsigned char *buf, size_t bytes, int root)
{
    const uint64_t seed = (uint64_t)root + bytes + (uint64_t)start_now * 31;
    memset(buf, 0xee, bytes + 1);
    if (rank == root) payload_fill(buf, bytes, seed);
    IN_FORM(form, bcast, world, buf, bytes, root);
    EXPECT(payload_is(buf, bytes, seed) && buf[bytes] == 0xee);
}

static uint64_t seed_of(int r)
{
    return (uint64_t)r * 3 + (uint64_t)start_now * 31;
}

static void test_allgather(enum form form, unsigned char *send, unsigned char *recv, size_t bytes,
                           int in_place)
{
    unsigned char *const mine = recv + bytes * (size_t)rank;
    memset(recv, 0xee, bytes * (size_t)size + 1);
    payload_fill(in_place ? mine : send, bytes, seed_of(rank));
    IN_FORM(form, allgather, world, in_place ? TUTTI_IN_PLACE : send, recv, bytes);
    for (int r = 0; r < size; r++)
        EXPECT(payload_is(recv + bytes * (size_t)r, bytes, seed_of(r)));
    EXPECT(recv[bytes * (size_t)size] == 0xee);
}

static int64_t element(int r, size_t i)
{
    return (int64_t)i * 7 + r + 1 + start_now * 1000;
}

static int64_t sum(size_t i)
{
    return ((int64_t)i * 7 + start_now * 1000) * size + (int64_t)size * (size + 1) / 2;
}

static void fill(int64_t *send, int64_t *recv, size_t count, int in_place)
{
    for (size_t i = 0; i <= count; i++)
        recv[i] = -1;
    for (size_t i = 0; i < count; i++)
        (in_place ? recv : send)[i] = element(rank, i);
}

static void test_allreduce(enum form form, int64_t *send, int64_t *recv, size_t count, int in_place)
{
    fill(send, recv, count, in_place);
    IN_FORM(form, allreduce, world, in_place ? TUTTI_IN_PLACE : send, recv, count, TUTTI_INT64, TUTTI_SUM);
    for (size_t i = 0; i < count; i++)
        EXPECT(recv[i] == sum(i) && (in_place || send[i] == element(rank, i)));
    EXPECT(recv[count] == -1);
}

static void test_reduce(enum form form, int64_t *send, int64_t *recv, size_t count, int root, int in_place)
{
    const int here = rank == root, there = here || form != BLOCKING;
    fill(send, recv, count, in_place && here);
    IN_FORM(form, reduce, world, in_place && here ? TUTTI_IN_PLACE : send, there ? recv : NULL, count,
            TUTTI_INT64, TUTTI_SUM, root);
    for (size_t i = 0; i < count; i++)
        EXPECT(recv[i] == (here ? sum(i) : -1));
}

/* Nobody leaves a barrier before the last has entered, by the clock that ranks of a node share. */
static void test_barrier(enum form form, int late, tutti_comm *node, double *moments)
{
    if (rank == late) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    double mine[2] = {job_now_s()};
    IN_FORM(form, barrier, world);
    mine[1] = job_now_s();
    OK(tutti_allgather(node, mine, moments, sizeof mine));
    for (int r = 0; r < tutti_comm_size(node); r++)
        EXPECT(moments[2 * r] <= mine[1]);
}

/* The next of the ranks that are roots, or late; the first is 0. */
static int next_special(int r)
{
    if (size <= EACH_SPECIAL) return r + 1;
    return r < size - 1 && r + SPECIAL_EVERY >= size ? size - 1 : r + SPECIAL_EVERY;
}

static void test_barriers(void)
{
    tutti_comm *node;
    OK(tutti_comm_split_node(world, &node));
    double *moments = malloc(2 * (size_t)size * sizeof *moments);
    EXPECT(moments != NULL);
    for (enum form form = BLOCKING; form < FORMS; form++)
        for (int late = 0; late < size; late = next_special(late))
            EACH_START(form, test_barrier(form, late, node, moments));
    free(moments);
    OK(tutti_comm_free(&node));
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

static void test_sizes(enum form form, void *a, void *b)
{
    for (size_t c = 0; c < COUNTS; c++) {
        const size_t count = counts[c];
        for (int root = 0; root < size; root = next_special(root)) {
            EACH_START(form, test_bcast(form, a, count * 8, root));
            EACH_START(form, test_reduce(form, a, b, count, root, 0));
            EACH_START(form, test_reduce(form, a, b, count, root, 1));
        }
        for (int in_place = 0; in_place < 2; in_place++) {
            EACH_START(form, test_allreduce(form, a, b, count, in_place));
            EACH_START(form, test_allgather(form, a, b, count, in_place));
        }
    }
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    void *a = malloc(MOST_BYTES), *b = malloc(MOST_BYTES * (size_t)size);
    EXPECT(a != NULL && b != NULL);
    test_barriers();
    for (enum form form = BLOCKING; form < FORMS; form++)
        test_sizes(form, a, b);
    test_same_bits();
    free(a);
    free(b);
    return job_close();
}

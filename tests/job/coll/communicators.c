/* SPDX-License-Identifier: BSD-3-Clause */
/* Making communicators: members, order, separation, agreement, errors on one rank alone; and a thousand made
 * and freed without growth. */
#include <inttypes.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "tests/job/job.h"
#include "tests/sanitized.h"

#define A_THOUSAND 1000
#define AT_ONCE 40
#define ROUNDS 3
/* Most growth by a thousand communicators, of what is allocated and of what is mapped. */
#define ALLOCATED_KIB 64
#define MAPPED_KIB (SANITIZED ? 300000 : 1500)

/* Every rank of `comm` tells its job rank, and expects those of `expected`. */
static void expect_members(tutti_comm *comm, const int *expected, int count)
{
    int all[64];
    EXPECT(tutti_comm_size(comm) == count && count <= 64);
    EXPECT(expected[tutti_comm_rank(comm)] == rank);
    OK(tutti_allgather(comm, &rank, all, sizeof rank));
    EXPECT(memcmp(all, expected, (size_t)count * sizeof *all) == 0);
}

static void test_split(void)
{
    tutti_comm *part;
    int expected[64], count = 0;
    /* Three colors, in the opposite order. */
    for (int r = size - 1; r >= 0; r--)
        if (r % 3 == rank % 3) expected[count++] = r;
    OK(tutti_comm_split(world, rank % 3, -rank, &part));
    expect_members(part, expected, count);
    /* A part of a part; ties by rank. */
    tutti_comm *half;
    const int mine = tutti_comm_rank(part);
    OK(tutti_comm_split(part, mine % 2, 5, &half));
    int inner[64], inner_count = 0;
    for (int i = mine % 2; i < count; i += 2)
        inner[inner_count++] = expected[i];
    expect_members(half, inner, inner_count);
    OK(tutti_comm_free(&part));
    expect_members(half, inner, inner_count);
    OK(tutti_comm_free(&half));
    /* Rank 0 stays out. */
    OK(tutti_comm_split(world, rank == 0 ? TUTTI_UNDEFINED : 7, 0, &part));
    EXPECT((part == NULL) == (rank == 0));
    for (int r = 1; r < size; r++)
        expected[r - 1] = r;
    if (part != NULL) {
        expect_members(part, expected, size - 1);
        OK(tutti_comm_free(&part));
    }
}

static void test_node(void)
{
    tutti_comm *node;
    char mine[64] = "", all[64 * 64];
    OK(tutti_comm_split_node(world, &node));
    gethostname(mine, sizeof mine - 1);
    OK(tutti_allgather(node, mine, all, sizeof mine));
    for (int r = 0; r < tutti_comm_size(node); r++)
        EXPECT(strcmp(all + (size_t)r * 64, mine) == 0);
    OK(tutti_comm_free(&node));
}

static void test_create(void)
{
    tutti_comm *made;
    int members[64], count = 0;
    /* Even ranks downwards, odd ranks upwards: two groups in one call. */
    for (int i = 0; i < size; i++) {
        const int r = rank % 2 == 0 ? size - 1 - i : i;
        if (r % 2 == rank % 2) members[count++] = r;
    }
    OK(tutti_comm_create(world, members, count, &made));
    expect_members(made, members, count);
    OK(tutti_comm_free(&made));
    /* The last rank alone is in none. */
    const int out = rank == size - 1;
    for (int i = 0; i < size - 1; i++)
        members[i] = i;
    OK(tutti_comm_create(world, members, out ? 0 : size - 1, &made));
    EXPECT((made == NULL) == (out != 0));
    if (made != NULL) expect_members(made, members, size - 1);
    if (made != NULL) OK(tutti_comm_free(&made));
}

/* A wrong argument on one rank is an error there, and nobody waits for it. */
static void test_errors(void)
{
    tutti_comm *made = NULL;
    const int bad[2] = {0, 0}, beyond[1] = {size};
    const int code = tutti_comm_split(world, rank == 0 ? -3 : 1, 0, &made);
    EXPECT(code == (rank == 0 ? TUTTI_ERR_ARG : 0));
    if (rank != 0) EXPECT(tutti_comm_size(made) == size - 1);
    if (rank != 0) OK(tutti_comm_free(&made));
    EXPECT(tutti_comm_create(world, beyond, 1, &made) == TUTTI_ERR_RANK);
    if (size > 1) EXPECT(tutti_comm_create(world, bad, 2, &made) == TUTTI_ERR_RANK);
    /* Rank 0 and 1 list each other, but not in the same order. */
    const int lists[2][2] = {{0, 1}, {1, 0}};
    if (size > 1)
        EXPECT(tutti_comm_create(world, lists[rank % 2], rank < 2 ? 2 : 0, &made) ==
               (rank < 2 ? TUTTI_ERR_ARG : 0));
    EXPECT(tutti_comm_free(&(tutti_comm *){world}) == TUTTI_ERR_ARG);
    EXPECT(tutti_comm_dup(NULL, &made) == TUTTI_ERR_ARG && tutti_comm_dup(world, NULL) == TUTTI_ERR_ARG);
}

static void test_arguments(void)
{
    double x[4] = {0}, y[4] = {0};
    int64_t n = 0;
    tutti_request *request;
    EXPECT(tutti_barrier(NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_ibarrier(world, NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_bcast(world, x, sizeof x, size) == TUTTI_ERR_RANK);
    EXPECT(tutti_bcast(world, x, sizeof x, -1) == TUTTI_ERR_RANK);
    EXPECT(tutti_bcast(world, NULL, 8, 0) == TUTTI_ERR_ARG);
    EXPECT(tutti_allreduce(world, x, y, 4, TUTTI_DOUBLE, TUTTI_BAND) == TUTTI_ERR_TYPE);
    EXPECT(tutti_allreduce(world, x, y, 4, 0, TUTTI_SUM) == TUTTI_ERR_TYPE);
    EXPECT(tutti_allreduce(world, x, y, 4, TUTTI_DOUBLE, NULL) == TUTTI_ERR_OP);
    EXPECT(tutti_allreduce(world, x, y, 4, TUTTI_DOUBLE, TUTTI_REPLACE) == TUTTI_ERR_OP);
    EXPECT(tutti_allreduce(world, x, x + 2, 4, TUTTI_DOUBLE, TUTTI_SUM) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "overlap") != NULL);
    EXPECT(tutti_allreduce(world, x, NULL, 4, TUTTI_DOUBLE, TUTTI_SUM) == TUTTI_ERR_ARG);
    EXPECT(tutti_allgather(world, x, y, SIZE_MAX / 2) == TUTTI_ERR_ARG);
    EXPECT(tutti_iallreduce(world, x, y, SIZE_MAX / 4, TUTTI_DOUBLE, TUTTI_SUM, &request) == TUTTI_ERR_ARG);
    EXPECT(tutti_op_free(&(tutti_op *){TUTTI_SUM}) == TUTTI_ERR_OP);
    OK(tutti_ibarrier(world, &request));
    EXPECT(tutti_cancel(request) == TUTTI_ERR_UNSUPPORTED); /* complete or not */
    OK(tutti_barrier(world));
    EXPECT(tutti_cancel(request) == TUTTI_ERR_UNSUPPORTED);
    OK(tutti_wait(&request, NULL));
    OK(tutti_allreduce(world, &(int64_t){1}, &n, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(n == size);
}

/* In KiB: what malloc() has given out, of which nothing is seen beside a sanitizer's own, and all mappings.
 */
typedef struct {
    int64_t allocated, mapped;
} memory;

/* Not what is resident: buffers of libfabric's and of the node are there from the start, and each of their
 * pages is resident from when a message first comes to lie on it. */
static memory memory_now(void)
{
    const struct mallinfo2 heap = mallinfo2();
    int64_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%" SCNd64, &pages) == 1);
    fclose(file);
    return (memory){(int64_t)((heap.uordblks + heap.hblkhd) / 1024), pages * (sysconf(_SC_PAGESIZE) / 1024)};
}

static void make_and_free(int how_many)
{
    tutti_comm *comms[AT_ONCE];
    for (int made = 0; made < how_many; made += AT_ONCE) {
        for (int i = 0; i < AT_ONCE; i++) {
            int sum = 0;
            if (i % 2 == 0)
                OK(tutti_comm_dup(world, &comms[i]));
            else
                OK(tutti_comm_split(world, 0, rank % 2, &comms[i]));
            OK(tutti_allreduce(comms[i], &(int){1}, &sum, 1, TUTTI_INT32, TUTTI_SUM));
            EXPECT(sum == size);
        }
        for (int i = 0; i < AT_ONCE; i++)
            OK(tutti_comm_free(&comms[i]));
    }
}

/* The most that any rank's memory grows by in a round. */
static memory growth_of_round(void)
{
    const memory before = memory_now();
    make_and_free(A_THOUSAND);
    const memory after = memory_now();
    const memory grown = {after.allocated - before.allocated, after.mapped - before.mapped};
    memory most;
    OK(tutti_allreduce(world, &grown, &most, 2, TUTTI_INT64, TUTTI_MAX));
    return most;
}

/* Tables may still reach their size in the first rounds. */
static void test_growth(void)
{
    memory most = growth_of_round();
    for (int round = 1; (most.allocated > ALLOCATED_KIB || most.mapped > MAPPED_KIB) && round < ROUNDS;
         round++)
        most = growth_of_round();
    if (most.allocated > ALLOCATED_KIB || most.mapped > MAPPED_KIB)
        fprintf(stderr, "a rank allocates %lld KiB and maps %lld KiB more in each round\n",
                (long long)most.allocated, (long long)most.mapped);
    EXPECT(most.allocated <= ALLOCATED_KIB);
    EXPECT(most.mapped <= MAPPED_KIB);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    test_split();
    test_node();
    test_create();
    test_errors();
    test_arguments();
    make_and_free(A_THOUSAND / 5);
    test_growth();
    return job_close();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of one node that make different calls: whoever waits for one that will not come is told, with both
 * calls, instead of waiting for ever, and so is everybody afterwards; types and operations of one size are
 * told apart. Who waits for one that has finalized is told, too. */
#include "tests/job/job.h"

#define HELD 600 /* operations, many more than windows of any kind */
#define PART ((size_t)128 << 10)
#define LONG 8192 /* elements, in windows of another kind than one is */

static int names_two(void)
{
    return strstr(tutti_error_detail(), "the ranks make different calls: rank ") != NULL;
}

static int was_told(void)
{
    return strstr(tutti_error_detail(), "could not take part in a collective") != NULL;
}

/* Everybody combines, so everybody looks at what the others call, unless one that did before has told.
 * Afterwards the communicator can be used by all, or by nobody. */
static void test_types(tutti_comm *comm)
{
    const double mine = 1;
    double result = 0;
    const tutti_type type = rank == 0 ? TUTTI_DOUBLE : TUTTI_INT64;
    EXPECT(tutti_allreduce(comm, &mine, &result, 1, type, rank == 0 ? TUTTI_MAX : TUTTI_SUM) ==
           TUTTI_ERR_ARG);
    EXPECT(was_told() || strstr(tutti_error_detail(), rank == 0 ? "(double, max)" : "(int64, sum)") != NULL);
    EXPECT(result == 0);
    int after = tutti_barrier(comm), least = 0, most = 0;
    EXPECT(after == 0 || after == TUTTI_ERR_ARG);
    OK(tutti_allreduce(world, &after, &least, 1, TUTTI_INT32, TUTTI_MIN));
    OK(tutti_allreduce(world, &after, &most, 1, TUTTI_INT32, TUTTI_MAX));
    EXPECT(least == most);
}

/* The last rank waits for rank 1, which takes rank 0 for the root, and goes on to a barrier. */
static void test_roots(tutti_comm *comm)
{
    char byte = 1;
    const int code = tutti_bcast(comm, &byte, 1, rank == size - 1 ? 1 : 0);
    EXPECT(rank == size - 1 ? code == TUTTI_ERR_ARG && names_two() : code == 0 || code == TUTTI_ERR_ARG);
    EXPECT(tutti_barrier(comm) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "no collective is possible any more") != NULL);
}

/* Each waits for another one as the root. */
static void test_circle(tutti_comm *comm)
{
    char byte = 1;
    EXPECT(tutti_bcast(comm, &byte, 1, (rank + 1) % size) == TUTTI_ERR_ARG);
    EXPECT(tutti_barrier(comm) == TUTTI_ERR_ARG);
}

/* The same of long parts, which the root says where to put. */
static void test_circle_of_parts(tutti_comm *comm)
{
    size_t *counts = calloc((size_t)size, sizeof *counts);
    char *part = calloc(1, PART), *all = calloc((size_t)size, PART);
    EXPECT(counts != NULL && part != NULL && all != NULL);
    for (int r = 0; r < size; r++)
        counts[r] = PART;
    EXPECT(tutti_gatherv(comm, part, PART, all, counts, NULL, TUTTI_INT8, (rank + 1) % size) ==
           TUTTI_ERR_ARG);
    EXPECT(tutti_barrier(comm) == TUTTI_ERR_ARG);
    free(counts);
    free(part);
    free(all);
}

static void test_kinds(tutti_comm *comm)
{
    char byte = 1;
    EXPECT((rank == 0 ? tutti_bcast(comm, &byte, 1, size - 1) : tutti_barrier(comm)) == TUTTI_ERR_ARG);
    EXPECT(tutti_barrier(comm) == TUTTI_ERR_ARG);
}

/* Not what was called inside of that. */
static void expect_called(int code, const char *most, const char *last)
{
    EXPECT(code == TUTTI_ERR_ARG);
    EXPECT(was_told() || (names_two() && strstr(tutti_error_detail(), most) != NULL &&
                          strstr(tutti_error_detail(), last) != NULL));
}

/* The first call on a communicator, in which blocking calls find out about the ranks before. */
static void test_forms(tutti_comm *comm)
{
    tutti_request *request;
    int sum, code;
    if (rank < size - 1) {
        code = tutti_allreduce(comm, &rank, &sum, 1, TUTTI_INT32, TUTTI_SUM);
    } else {
        code = tutti_iallreduce(comm, &rank, &sum, 1, TUTTI_INT32, TUTTI_SUM, &request);
        if (code == 0) code = tutti_wait(&request, NULL);
    }
    expect_called(code, " in tutti_allreduce", " in tutti_iallreduce of 4 bytes (int32, sum)");
}

/* All wait for windows in the last one, which alone is the call that others have told. */
static void test_held(tutti_comm *comm)
{
    static int64_t zeros[LONG], sums[HELD][LONG];
    tutti_request *requests[HELD] = {NULL};
    int code = 0;
    for (int i = 0; i < HELD && code == 0; i++)
        code = tutti_iallreduce(comm, zeros, sums[i], i >= HELD / 6 && rank > 0 ? 1 : LONG, TUTTI_INT64,
                                TUTTI_SUM, &requests[i]);
    const int ended = tutti_waitall(HELD, requests, NULL);
    EXPECT(code == TUTTI_ERR_ARG || ended == TUTTI_ERR_ARG);
}

static void test_making(tutti_comm *comm)
{
    tutti_comm *made = NULL;
    const int code = rank < size - 1 ? tutti_comm_dup(comm, &made) : tutti_comm_split(comm, 0, 0, &made);
    EXPECT(made == NULL);
    expect_called(code, " in tutti_comm_dup", " in tutti_comm_split");
}

/* Rank 1 has finalized, or is about to: who waits finds out, or is told by one that has. Who was told before
 * its call does not take part either, and finalizes: it may be the one that others find. */
static void test_left(void)
{
    int who, end = 0;
    EXPECT(tutti_barrier(world) == TUTTI_ERR_STATE);
    const char *named = strstr(tutti_error_detail(), "rank ");
    EXPECT(named != NULL && sscanf(named, "rank %d of the %n", &who, &end) == 1 && end > 0 && who != rank);
    EXPECT(strstr(tutti_error_detail(), "has called tutti_finalize() without taking part in") != NULL);
}

/* What is made of the world knows all that this has found out; but not what is left of it. */
static void on_another(void (*test)(tutti_comm *comm), int known)
{
    tutti_comm *comm;
    int sum;
    OK(known ? tutti_comm_dup(world, &comm) : tutti_comm_shrink(world, &comm));
    if (known) OK(tutti_allreduce(comm, &rank, &sum, 1, TUTTI_INT32, TUTTI_SUM));
    test(comm);
    OK(tutti_barrier(world));
    OK(tutti_comm_free(&comm));
}

int main(void)
{
    /* Where a gatherv has a sender wait for the root, however dear the machine's copies are. */
    setenv("TUTTI_GATHERV", "0-:put", 1);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    if (!job_shares_memory()) {
        OK(tutti_finalize());
        return 77;
    }
    on_another(test_types, 1);
    if (size > 2) on_another(test_roots, 1);
    on_another(test_circle, 1);
    if (size > 2) on_another(test_circle_of_parts, 1);
    on_another(test_kinds, 1);
    on_another(test_forms, 0);
    on_another(test_making, 0);
    on_another(test_held, 1);
    if (rank != 1) test_left();
    return job_close();
}

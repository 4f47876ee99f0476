/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of a node whose calls differ so that they take windows of different kinds, or messages, and never
 * meet there: each gets the error that names both calls, in every form, and so do calls after it. And of a
 * part that its receiver expects and nobody sends. */
#include <stdbool.h>
#include <string.h>

#include "tests/job/job.h"

#define MOST 400000

static unsigned char from[MOST], to[MOST * 20];

typedef int begin_fn(tutti_comm *comm, size_t bytes, tutti_request **request);

static int sum(tutti_comm *comm, size_t bytes, tutti_request **request)
{
    const size_t count = bytes / sizeof(double);
    if (request != NULL) return tutti_iallreduce(comm, from, to, count, TUTTI_DOUBLE, TUTTI_SUM, request);
    return tutti_allreduce(comm, from, to, count, TUTTI_DOUBLE, TUTTI_SUM);
}

static int gather(tutti_comm *comm, size_t bytes, tutti_request **request)
{
    return request != NULL ? tutti_iallgather(comm, from, to, bytes, request)
                           : tutti_allgather(comm, from, to, bytes);
}

static int exchange(tutti_comm *comm, size_t bytes, tutti_request **request)
{
    const size_t part = bytes / (size_t)size;
    return request != NULL ? tutti_ialltoall(comm, from, to, part, request)
                           : tutti_alltoall(comm, from, to, part);
}

static int meet(tutti_comm *comm, size_t bytes, tutti_request **request)
{
    (void)bytes;
    return request != NULL ? tutti_ibarrier(comm, request) : tutti_barrier(comm);
}

static void expect_both_named(int code)
{
    EXPECT(code == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "the ranks make different calls: rank ") != NULL);
    EXPECT(strstr(tutti_error_detail(), ", rank ") != NULL);
}

/* The last rank makes the other call. */
static void differ(begin_fn *call, size_t bytes, begin_fn *other, size_t other_bytes, bool blocking)
{
    const bool odd = rank == size - 1;
    tutti_comm *comm;
    tutti_request *request = NULL;
    OK(tutti_comm_dup(world, &comm));
    OK(tutti_barrier(comm)); /* it is no fresh one, whose first blocking call needs all */
    int code = (odd ? other : call)(comm, odd ? other_bytes : bytes, blocking ? NULL : &request);
    if (code == 0 && !blocking) code = tutti_wait(&request, NULL);
    expect_both_named(code);
    expect_both_named(tutti_barrier(comm));
    OK(tutti_barrier(world));
    OK(tutti_comm_free(&comm));
}

/* The root has nothing for the last rank, which expects something: that one is told both numbers, and all
 * that the communicator is over. */
static void expect_more_than_sent(void)
{
    size_t counts[64] = {0};
    tutti_comm *comm;
    for (int r = 0; r < size - 1; r++)
        counts[r] = 3;
    OK(tutti_comm_dup(world, &comm));
    const size_t mine = rank == size - 1 ? 8 : counts[rank];
    const int code = tutti_scatterv(comm, from, counts, NULL, to, mine, TUTTI_UINT8, 0);
    EXPECT(code == (rank == size - 1 ? TUTTI_ERR_ARG : 0) || code == TUTTI_ERR_ARG);
    if (rank == size - 1) EXPECT(strstr(tutti_error_detail(), "has a part of 0 bytes for rank") != NULL);
    EXPECT(tutti_barrier(comm) == TUTTI_ERR_ARG);
    OK(tutti_barrier(world));
    OK(tutti_comm_free(&comm));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    for (int blocking = 0; blocking < 2 && job_shares_memory(); blocking++) {
        differ(sum, 64, sum, 72, blocking);
        differ(sum, 8, sum, MOST, blocking);
        differ(gather, 64, gather, 128, blocking);
        differ(meet, 0, sum, 4096, blocking);
        differ(meet, 0, exchange, MOST, blocking);
        differ(sum, 64, exchange, MOST, blocking);
    }
    if (job_shares_memory()) expect_more_than_sent();
    return job_close();
}

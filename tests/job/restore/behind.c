/* SPDX-License-Identifier: BSD-3-Clause */
/* What is begun behind a restore is made behind it, whenever the launcher answers which processes there are:
 * the first rank begins all at once, and the others one call when the one before is over. */
#include "tests/job/lose.h"

#define TAG 3

static tutti_comm *whole, *survivors;
static uint64_t flags;

static void begin_all(void)
{
    tutti_request *requests[3];
    OK(tutti_comm_irestore(world, &whole, &requests[0]));
    OK(tutti_comm_iagree(world, &flags, &requests[1]));
    OK(tutti_comm_ishrink(world, &survivors, &requests[2]));
    for (int r = 1; r + 1 < size; r++)
        OK(tutti_send(world, NULL, 0, r, TAG));
    OK(tutti_waitall(3, requests, NULL));
}

static void make_each(void)
{
    OK(tutti_recv(world, NULL, 0, 0, TAG, NULL));
    OK(tutti_comm_restore(world, &whole));
    OK(tutti_comm_agree(world, &flags));
    OK(tutti_comm_shrink(world, &survivors));
}

static int64_t count(tutti_comm *comm)
{
    const int64_t one = 1;
    int64_t sum = 0;
    OK(tutti_allreduce(comm, &one, &sum, 1, TUTTI_INT64, TUTTI_SUM));
    return sum;
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    if (tutti_is_newcomer()) {
        EXPECT(count(world) == size);
        return job_close();
    }
    lose(world, size - 1);
    OK(tutti_comm_acknowledge(world));
    flags = ~(UINT64_C(1) << rank);
    if (rank == 0)
        begin_all();
    else
        make_each();
    EXPECT(flags == UINT64_MAX << (size - 1));
    EXPECT(count(whole) == size && count(survivors) == size - 1);
    OK(tutti_comm_free(&survivors));
    OK(tutti_comm_free(&whole));
    if (rank == 0) printf("all came in their order\n");
    return job_close();
}

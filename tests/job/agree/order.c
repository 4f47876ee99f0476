/* SPDX-License-Identifier: BSD-3-Clause */
/* Agreements and shrinks that are begun one after the other are made one after the other, whoever begins them
 * before they can go on, and whoever makes each when the one before is over. A shrink is several agreements:
 * what the first rank has begun behind it stands there when it goes on, and at the others nothing does. */
#include "tests/job/job.h"

#define TAG 3

/* The first rank has begun all of its calls when the others begin theirs. */
static void let_others_begin(void)
{
    for (int r = 1; r < size && rank == 0; r++)
        OK(tutti_send(world, NULL, 0, r, TAG));
    if (rank > 0) OK(tutti_recv(world, NULL, 0, 0, TAG, NULL));
}

static void use_and_free(tutti_comm *comm)
{
    int64_t mine = 1 << rank, sum = 0;
    EXPECT(tutti_comm_size(comm) == size && tutti_comm_rank(comm) == rank);
    OK(tutti_allreduce(comm, &mine, &sum, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(sum == (1 << size) - 1);
    OK(tutti_comm_free(&comm));
}

static void shrink_then_agree(tutti_comm *comm)
{
    uint64_t flags = ~(UINT64_C(1) << rank);
    tutti_comm *survivors = NULL;
    tutti_request *requests[2];
    if (rank == 0) {
        OK(tutti_comm_ishrink(comm, &survivors, &requests[0]));
        OK(tutti_comm_iagree(comm, &flags, &requests[1]));
    }
    let_others_begin();
    if (rank == 0) {
        OK(tutti_waitall(2, requests, NULL));
    } else {
        OK(tutti_comm_shrink(comm, &survivors));
        OK(tutti_comm_agree(comm, &flags));
    }
    EXPECT(flags == UINT64_MAX << size);
    use_and_free(survivors);
}

static void shrink_twice(tutti_comm *comm)
{
    tutti_comm *survivors[2];
    tutti_request *requests[2];
    for (int i = 0; i < 2 && rank == 0; i++)
        OK(tutti_comm_ishrink(comm, &survivors[i], &requests[i]));
    let_others_begin();
    for (int i = 0; i < 2 && rank > 0; i++)
        OK(tutti_comm_shrink(comm, &survivors[i]));
    if (rank == 0) OK(tutti_waitall(2, requests, NULL));
    for (int i = 0; i < 2; i++)
        use_and_free(survivors[i]);
}

int main(void)
{
    tutti_comm *comm;
    job_open(TUTTI_THREAD_SINGLE);
    for (int i = 0; i < 2; i++) {
        shrink_then_agree(world);
        shrink_twice(world);
    }
    OK(tutti_comm_dup(world, &comm));
    shrink_then_agree(comm);
    shrink_twice(comm);
    OK(tutti_comm_free(&comm));
    return job_close();
}

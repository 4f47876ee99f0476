/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that make different calls on a communicator all hear so, and can go on; of a request it is said
 * when it is waited for, whatever else has failed since it ended. */
#include "tests/job/job.h"

static void expect_different(int code)
{
    EXPECT(code == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "make different calls") != NULL);
}

static void call_by_rank(tutti_comm *comm)
{
    uint64_t flags = 5;
    tutti_comm *survivors = NULL;
    expect_different(rank == 0 ? tutti_comm_agree(comm, &flags) : tutti_comm_shrink(comm, &survivors));
    EXPECT(flags == 5 && survivors == NULL);
}

/* The agreement that follows is made behind the one that is over then. */
static void begin_by_rank(tutti_comm *comm)
{
    uint64_t flags = 5, others = 1;
    tutti_comm *survivors = NULL;
    tutti_request *request;
    if (rank == 0)
        OK(tutti_comm_iagree(comm, &flags, &request));
    else
        OK(tutti_comm_ishrink(comm, &survivors, &request));
    OK(tutti_comm_agree(comm, &others));
    EXPECT(tutti_send(comm, NULL, 0, size, 0) == TUTTI_ERR_RANK);
    expect_different(tutti_wait(&request, NULL));
    EXPECT(flags == 5 && survivors == NULL);
}

int main(void)
{
    tutti_comm *comm;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    call_by_rank(world);
    begin_by_rank(world);
    OK(tutti_comm_dup(world, &comm));
    begin_by_rank(comm);
    call_by_rank(comm);
    OK(tutti_comm_free(&comm));
    return job_close();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank has freed a communicator on which the others agree: they hear so from every call that agrees,
 * whichever rank it is, whether it heard of theirs before, and whether it has ever agreed there itself. */
#include <stdbool.h>

#include "tests/job/job.h"

#define TAG 4

static void expect_refused(tutti_comm *comm)
{
    uint64_t flags = 1;
    tutti_comm *survivors = NULL;
    for (int i = 0; i < 2; i++)
        EXPECT(tutti_comm_agree(comm, &flags) == TUTTI_ERR_ARG && flags == 1);
    EXPECT(strstr(tutti_error_detail(), "have freed it") != NULL);
    EXPECT(tutti_comm_shrink(comm, &survivors) == TUTTI_ERR_ARG && survivors == NULL);
}

/* Nobody has told it of an agreement, or it has made one with the others. */
static void free_before(int who, bool agreed)
{
    tutti_comm *comm;
    uint64_t flags = 1;
    OK(tutti_comm_dup(world, &comm));
    if (agreed) OK(tutti_comm_agree(comm, &flags));
    if (rank == who) OK(tutti_comm_free(&comm));
    OK(tutti_barrier(world));
    if (rank != who) {
        expect_refused(comm);
        OK(tutti_comm_free(&comm));
    }
    OK(tutti_barrier(world));
}

/* What each tells it of the agreement has come when the token comes behind that. */
static void free_after_hearing(int who)
{
    tutti_comm *comm;
    tutti_request *request;
    uint64_t flags = 1;
    OK(tutti_comm_dup(world, &comm));
    for (int r = 0; r < size && rank == who; r++)
        if (r != who) OK(tutti_recv(world, NULL, 0, r, TAG, NULL));
    if (rank != who) {
        OK(tutti_comm_iagree(comm, &flags, &request));
        OK(tutti_send(world, NULL, 0, who, TAG));
        EXPECT(tutti_wait(&request, NULL) == TUTTI_ERR_ARG && flags == 1);
        expect_refused(comm);
    }
    OK(tutti_comm_free(&comm));
    OK(tutti_barrier(world));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    for (int who = 0; who < size; who++) {
        free_before(who, false);
        free_before(who, true);
        free_after_hearing(who);
    }
    return job_close();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that their receiver never takes, because it frees the communicator or finalizes: a sender that
 * waits is told, and none of them turns up on a communicator made later. */
#include <string.h>

#include "tests/job/job.h"

#define LONG 500000

static char longs[LONG];

static void expect_refused(int code)
{
    EXPECT(code == TUTTI_ERR_STATE &&
           strstr(tutti_error_detail(), "rank 1 of the job will never receive") != NULL);
}

static void offer(tutti_comm *comm, tutti_request *sends[2])
{
    OK(tutti_isend(comm, longs, LONG, 1, 1, &sends[0]));
    OK(tutti_issend(comm, longs, 8, 1, 2, &sends[1]));
}

static void expect_both_refused(tutti_request *sends[2])
{
    expect_refused(tutti_wait(&sends[0], NULL));
    expect_refused(tutti_wait(&sends[1], NULL));
}

/* They are there when it is freed. */
static void freed_after(void)
{
    tutti_comm *comm;
    tutti_request *sends[2];
    OK(tutti_comm_dup(world, &comm));
    if (rank == 0) {
        offer(comm, sends);
        expect_both_refused(sends);
    } else if (rank == 1) {
        OK(tutti_probe(comm, 0, 1, NULL));
        OK(tutti_probe(comm, 0, 2, NULL));
    }
    OK(tutti_comm_free(&comm));
}

/* They come when it is freed already. */
static void freed_before(void)
{
    tutti_comm *comm, *next;
    tutti_request *sends[2];
    int found = 0;
    OK(tutti_comm_dup(world, &comm));
    if (rank == 0) {
        OK(tutti_recv(world, NULL, 0, 1, 3, NULL));
        offer(comm, sends);
        OK(tutti_send(comm, "x", 1, 1, 4));
        expect_both_refused(sends);
        OK(tutti_send(world, NULL, 0, 1, 3));
    }
    OK(tutti_comm_free(&comm));
    if (rank == 1) OK(tutti_sendrecv(world, NULL, 0, 0, 3, NULL, 0, 0, 3, NULL));
    OK(tutti_comm_dup(world, &next)); /* the same context */
    OK(tutti_iprobe(next, TUTTI_ANY_SOURCE, 4, &found, NULL));
    EXPECT(!found);
    /* What comes while a communicator is being made is kept for it. */
    if (rank == 0)
        for (int r = 1; r < size; r++)
            OK(tutti_send(next, "y", 1, r, 5));
    else
        OK(tutti_recv(next, longs, 1, 0, 5, NULL));
    OK(tutti_comm_free(&next));
}

/* The last message says that the others have come, of which matched probes take two. */
static void finalized(void)
{
    static tutti_message *taken[2];
    tutti_request *sends[2], *for_probes[2];
    if (rank == 0) {
        offer(world, for_probes);
        offer(world, sends);
        OK(tutti_send(world, NULL, 0, 1, 6));
        expect_both_refused(sends);
        expect_both_refused(for_probes);
    } else if (rank == 1) {
        OK(tutti_recv(world, NULL, 0, 0, 6, NULL));
        OK(tutti_mprobe(world, 0, 1, &taken[0], NULL));
        OK(tutti_mprobe(world, 0, 2, &taken[1], NULL));
    }
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    freed_after();
    for (int i = 0; i < 20; i++)
        freed_before();
    finalized();
    return job_close();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of broadcasts waits for nobody until its windows are all in use, and then for one that has called
 * tutti_finalize(): it is told, as are the others. The last rank takes part in one call of each kind, and
 * leaves. */
#include "tests/job/job.h"

#define CALLS 600 /* many more than windows of any kind */

static int number = 7;

static void expect_left(int code)
{
    char name[40];
    snprintf(name, sizeof name, "rank %d of the ", size - 1);
    EXPECT(code == TUTTI_ERR_STATE);
    EXPECT(strstr(tutti_error_detail(), name) != NULL);
    EXPECT(strstr(tutti_error_detail(), "has called tutti_finalize() without taking part in") != NULL);
}

static void call(tutti_comm *comm)
{
    int code = 0;
    for (int i = 0; i < CALLS && code == 0; i++)
        code = tutti_bcast(comm, &number, sizeof number, 0);
    expect_left(code);
}

/* Where others have found out, and told, no more can be started. */
static void start(tutti_comm *comm)
{
    static tutti_request *requests[CALLS];
    int code = 0;
    for (int i = 0; i < CALLS && code == 0; i++)
        code = tutti_ibcast(comm, &number, sizeof number, 0, &requests[i]);
    if (code != 0) expect_left(code);
    const int ended = tutti_waitall(CALLS, requests, NULL);
    if (ended != 0 || code == 0) expect_left(ended);
}

/* Else one that finds out later might name another one that has left since. */
static void meet_without_last(void)
{
    if (rank > 0) OK(tutti_send(world, NULL, 0, 0, 1));
    for (int r = 1; rank == 0 && r < size - 1; r++)
        OK(tutti_recv(world, NULL, 0, r, 1, NULL));
    for (int r = 1; rank == 0 && r < size - 1; r++)
        OK(tutti_send(world, NULL, 0, r, 2));
    if (rank > 0) OK(tutti_recv(world, NULL, 0, 0, 2, NULL));
}

int main(void)
{
    tutti_comm *other;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    if (!job_shares_memory()) {
        OK(tutti_finalize());
        return 77;
    }
    OK(tutti_comm_dup(world, &other));
    OK(tutti_bcast(world, &number, sizeof number, 0));
    OK(tutti_bcast(other, &number, sizeof number, 0));
    if (rank == size - 1) return job_close();
    call(world);
    start(other);
    meet_without_last();
    return job_close();
}

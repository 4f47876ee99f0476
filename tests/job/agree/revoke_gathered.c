/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of a gather revokes while all others may still write into its buffer: its request ends only when
 * each of them has said that it does so no more, which none can while it computes; and what is in the buffer
 * then stays. */
#include "tests/job/job.h"

#define LONG ((size_t)256 << 10)
#define MOMENT_NS 100000000

static unsigned char *buffer;
static int together; /* all ranks share memory */

static void compute_meanwhile(tutti_comm *comm)
{
    const struct timespec moment = {0, MOMENT_NS};
    tutti_request *request;
    memset(buffer, 3, LONG);
    OK(tutti_igather(comm, buffer, NULL, LONG, 0, &request));
    OK(tutti_send(world, NULL, 0, 0, 0));
    nanosleep(&moment, NULL);
    const double awake = job_now_s();
    const int code = tutti_wait(&request, NULL);
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0);
    OK(tutti_send(world, &awake, sizeof awake, 0, 1));
}

static void gather_and_revoke(tutti_comm *comm)
{
    const size_t all = LONG * (size_t)size;
    double awake;
    tutti_request *request;
    for (int r = 1; r < size; r++)
        OK(tutti_recv(world, NULL, 0, r, 0, NULL));
    OK(tutti_igather(comm, TUTTI_IN_PLACE, buffer, LONG, 0, &request));
    OK(tutti_comm_revoke(comm));
    const int code = tutti_wait(&request, NULL);
    const double over = job_now_s();
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0);
    memset(buffer, 5, all);
    for (int r = 1; r < size; r++) {
        OK(tutti_recv(world, &awake, sizeof awake, r, 1, NULL));
        EXPECT(code == 0 || over >= awake || !together);
    }
    for (size_t i = 0; i < all; i++)
        EXPECT(buffer[i] == 5);
}

int main(void)
{
    tutti_comm *comm;
    setenv("TUTTI_GATHER", "0-:put", 1);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    together = job_shares_memory();
    buffer = calloc((size_t)size, LONG);
    EXPECT(buffer != NULL);
    OK(tutti_comm_dup(world, &comm));
    if (rank == 0)
        gather_and_revoke(comm);
    else
        compute_meanwhile(comm);
    OK(tutti_comm_free(&comm));
    free(buffer);
    return job_close();
}

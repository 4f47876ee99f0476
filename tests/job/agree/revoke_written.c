/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank of two revokes while the other may still write into its buffer: the request ends only when that one
 * has said that it does so no more, which it cannot while it computes; and what is in the buffer then stays.
 */
#include "tests/job/job.h"

#define LONG (1 << 20)

static unsigned char buffer[LONG];

static int shares_memory(void)
{
    const char *transport = getenv("TUTTI_TRANSPORT");
    return transport == NULL || strcmp(transport, "fabric") != 0;
}

static void receive(tutti_comm *comm)
{
    tutti_request *request;
    double awake;
    OK(tutti_ibcast(comm, buffer, LONG, 0, &request));
    OK(tutti_comm_revoke(comm));
    const int code = tutti_wait(&request, NULL);
    const double over = job_now_s();
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0); /* the other one was quick */
    memset(buffer, 5, LONG);
    OK(tutti_recv(world, &awake, sizeof awake, 0, 0, NULL));
    EXPECT(code == 0 || over >= awake || !shares_memory());
}

static void compute_meanwhile(tutti_comm *comm)
{
    const struct timespec moment = {0, 200000000};
    tutti_request *request;
    memset(buffer, 3, LONG);
    OK(tutti_ibcast(comm, buffer, LONG, 0, &request));
    OK(tutti_barrier(world));
    nanosleep(&moment, NULL);
    const double awake = job_now_s();
    const int code = tutti_wait(&request, NULL);
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0);
    OK(tutti_send(world, &awake, sizeof awake, 1, 0));
}

int main(void)
{
    tutti_comm *pair;
    setenv("TUTTI_BCAST", "0-:shown_both", 1);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    OK(tutti_comm_split(world, rank < 2 ? 0 : TUTTI_UNDEFINED, rank, &pair));
    if (rank > 0) OK(tutti_barrier(world)); /* rank 0 has begun */
    if (rank == 0) compute_meanwhile(pair);
    if (rank == 1) receive(pair);
    OK(tutti_barrier(world));
    for (size_t i = 0; rank == 1 && i < LONG; i++)
        EXPECT(buffer[i] == 5);
    if (rank < 2) OK(tutti_comm_free(&pair));
    return job_close();
}

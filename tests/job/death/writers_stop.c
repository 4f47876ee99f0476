/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank dies while others may still write into the buffer of a gather's root, which knows of the death
 * first: its call ends only when none of them does any more; and what is in the buffer then stays. */
#include <signal.h>

#include "tests/job/job.h"

enum { ROOT, VICTIM = 3, RANKS };
enum { TAG_READY, TAG_DIE, TAG_AWAKE };
#define LONG ((size_t)256 << 10)
#define MOMENT_NS 200000000

static unsigned char buffer[RANKS * LONG];

static void compute_meanwhile(void)
{
    const struct timespec moment = {0, MOMENT_NS};
    tutti_request *request;
    memset(buffer, 3, LONG);
    OK(tutti_igather(world, buffer, NULL, LONG, ROOT, &request));
    OK(tutti_send(world, NULL, 0, ROOT, TAG_READY));
    nanosleep(&moment, NULL);
    const double awake = job_now_s();
    const int code = tutti_wait(&request, NULL);
    EXPECT(code == TUTTI_ERR_PEER_FAILED || code == 0); /* it may have written before the death was known */
    OK(tutti_send(world, &awake, sizeof awake, ROOT, TAG_AWAKE));
}

static void gather(int together)
{
    double awake;
    tutti_request *request;
    for (int r = ROOT + 1; r < VICTIM; r++)
        OK(tutti_recv(world, NULL, 0, r, TAG_READY, NULL));
    OK(tutti_igather(world, TUTTI_IN_PLACE, buffer, LONG, ROOT, &request));
    OK(tutti_send(world, NULL, 0, VICTIM, TAG_DIE));
    EXPECT(tutti_wait(&request, NULL) == TUTTI_ERR_PEER_FAILED);
    const double over = job_now_s();
    memset(buffer, 5, sizeof buffer);
    for (int r = ROOT + 1; r < VICTIM; r++) {
        OK(tutti_recv(world, &awake, sizeof awake, r, TAG_AWAKE, NULL));
        EXPECT(over >= awake || !together);
    }
    for (size_t i = 0; i < sizeof buffer; i++)
        EXPECT(buffer[i] == 5);
    printf("the buffer is the root's\n");
}

int main(void)
{
    setenv("TUTTI_GATHER", "0-:put", 1);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(RANKS);
    const int together = job_shares_memory();
    OK(tutti_barrier(world));
    if (rank == ROOT) {
        gather(together);
    } else if (rank != VICTIM) {
        compute_meanwhile();
    } else {
        OK(tutti_recv(world, NULL, 0, ROOT, TAG_DIE, NULL));
        raise(SIGKILL);
    }
    tutti_finalize(); /* with a dead peer it may complain, not hang */
    return 0;
}

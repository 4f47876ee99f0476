/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank after the other is killed while all exchange messages in collectives. Whoever finds its call ended
 * by that is told who is dead, also where it only hears of it from a living rank, which gives up its part. */
#include <unistd.h>

#include "tests/job/victims.h"

#define PART 65536
#define CALLS 6
#define WITHIN_US 1500

static uint64_t state = 1;
static unsigned char *sent, *got[CALLS];

/* Of those that are left the victim is another one each time. */
static void exchange(tutti_comm *comm, int victim)
{
    const int n = tutti_comm_size(comm);
    tutti_request *requests[CALLS];
    tutti_status status;
    int begun = 0, code = 0;
    for (; begun < CALLS && code == 0; begun += code == 0)
        code = tutti_ialltoall(comm, sent, got[begun], PART / (size_t)n * 8, &requests[begun]);
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    for (int i = 0; i < begun; i++) {
        code = tutti_wait(&requests[i], &status);
        EXPECT(code == 0 || (code == TUTTI_ERR_PEER_FAILED && status.source == victim));
    }
}

int main(void)
{
    tutti_comm *comm, *left;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    sent = calloc(8, PART);
    for (int i = 0; i < CALLS; i++)
        EXPECT((got[i] = malloc(8 * PART)) != NULL);
    EXPECT(sent != NULL);
    OK(tutti_comm_dup(world, &comm));
    while (tutti_comm_size(comm) > 2) {
        const int victim = (int)(job_random(&state) % (uint64_t)tutti_comm_size(comm));
        const uint64_t when = job_random(&state) % WITHIN_US;
        const int code = tutti_barrier(comm); /* its last word there may not have left it */
        EXPECT(code == 0 || (code == TUTTI_ERR_PEER_FAILED && tutti_comm_rank(comm) != victim));
        if (tutti_comm_rank(comm) == victim) die_within(when);
        exchange(comm, victim);
        while (tutti_comm_rank(comm) == victim)
            pause();
        OK(tutti_comm_shrink(comm, &left));
        OK(tutti_comm_free(&comm));
        comm = left;
    }
    OK(tutti_barrier(comm));
    if (tutti_comm_rank(comm) == 0) printf("all %d that are left are fine\n", tutti_comm_size(comm));
    (void)tutti_finalize(); /* with dead peers it may complain, not hang */
    return 0;
}

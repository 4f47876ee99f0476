/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank dies while others may still write into the buffer of a gather's root, which knows of the death
 * first: its call ends only when none of them does any more; and what is in the buffer then stays. */
#include <signal.h>

#include "tests/job/gather_put.h"

enum { ROOT, VICTIM = 3, RANKS };
#define MOMENT_NS 200000000

static unsigned char buffer[RANKS * LONG];

static void gather(int together)
{
    tutti_request *request;
    await_writers(VICTIM - 1);
    OK(tutti_igather(world, TUTTI_IN_PLACE, buffer, LONG, ROOT, &request));
    OK(tutti_send(world, NULL, 0, VICTIM, TAG_DIE));
    EXPECT(tutti_wait(&request, NULL) == TUTTI_ERR_PEER_FAILED);
    const double over = job_now_s();
    expect_untouched(buffer, VICTIM - 1, over, together);
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
        write_late(world, buffer, TUTTI_ERR_PEER_FAILED, MOMENT_NS);
    } else {
        OK(tutti_recv(world, NULL, 0, ROOT, TAG_DIE, NULL));
        raise(SIGKILL);
    }
    tutti_finalize(); /* with a dead peer it may complain, not hang */
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The last rank is killed; rank 1 hears of it and leaves, while rank 0 still waits for a message of it: that
 * ends with TUTTI_ERR_PEER_FAILED, and later operations at once. What rank 1 had sent is received.
 */
#include "tests/job/lose.h"

/* A receive that only a death ends. */
static void await_death(int victim)
{
    char byte;
    EXPECT(tutti_recv(world, &byte, 1, victim, 1, NULL) == TUTTI_ERR_PEER_FAILED);
}

static void wait_for_the_one_that_leaves(void)
{
    tutti_request *requests[2];
    char bytes[2] = "";
    OK(tutti_irecv(world, &bytes[0], 1, 1, 2, &requests[0]));
    OK(tutti_irecv(world, &bytes[1], 1, 1, 3, &requests[1]));
    OK(tutti_send(world, bytes, 1, 1, 5)); /* it may go now */
    EXPECT(tutti_wait(&requests[1], NULL) == TUTTI_ERR_PEER_FAILED);
    EXPECT(tutti_error_detail()[0] != '\0');
    OK(tutti_wait(&requests[0], NULL));
    EXPECT(bytes[0] == 's');
    EXPECT(tutti_recv(world, bytes, 1, 1, 4, NULL) == TUTTI_ERR_PEER_FAILED);
    EXPECT(tutti_send(world, bytes, 1, 1, 4) == TUTTI_ERR_PEER_FAILED);
    EXPECT(strstr(tutti_error_detail(), "rank 1") != NULL);
    printf("rank 0 is fine\n");
}

int main(void)
{
    char byte;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    const int victim = size - 1;
    for (int i = 0; i < 100; i++)
        OK(tutti_barrier(world));
    lose_untold(world, victim);
    await_death(victim);
    if (rank == 0) wait_for_the_one_that_leaves();
    if (rank == 1) {
        OK(tutti_recv(world, &byte, 1, 0, 5, NULL));
        OK(tutti_send(world, "s", 1, 0, 2));
    }
    tutti_finalize(); /* with a dead peer it may complain, not hang */
    return 0;
}

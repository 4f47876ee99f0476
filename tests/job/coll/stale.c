/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages on communicators that their receiver has freed: none turns up on one that is made later, senders
 * that wait are told, and there may be more communicators, over time and at once, than any table has places.
 */
#include "tests/job/job.h"

#define ROUNDS 100
#define LONG 300000
#define AT_ONCE 5000

static char longs[LONG];

/* The receiver may free the first one before or after the messages come. The sender gives up its own end of
 * it at once, unless it has sent what `waits`. */
static void round_of(int round, int waits)
{
    tutti_comm *old, *new;
    tutti_request *sends[2];
    int value = round;
    OK(tutti_comm_dup(world, &old));
    if (rank == 0) OK(tutti_send(old, &value, sizeof value, 1, 7));
    if (rank == 0 && waits) {
        OK(tutti_isend(old, longs, LONG, 1, 7, &sends[0]));
        OK(tutti_issend(old, &value, sizeof value, 1, 7, &sends[1]));
    }
    OK(tutti_comm_free(&old));
    OK(tutti_comm_dup(world, &new));
    value = ROUNDS + round;
    if (rank == 0) {
        OK(tutti_send(new, &value, sizeof value, 1, 7));
        for (int i = 0; waits && i < 2; i++)
            EXPECT(tutti_wait(&sends[i], NULL) == TUTTI_ERR_STATE);
    } else if (rank == 1) {
        int got = -1;
        OK(tutti_recv(new, &got, sizeof got, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, NULL));
        EXPECT(got == value);
    }
    OK(tutti_comm_free(&new));
}

static void many_at_once(void)
{
    static tutti_comm *comms[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++)
        OK(tutti_comm_split(world, rank / 2, 0, &comms[i]));
    for (int i = 0; i < AT_ONCE; i += AT_ONCE / 7) {
        int sum = i;
        OK(tutti_allreduce(comms[i], TUTTI_IN_PLACE, &sum, 1, TUTTI_INT32, TUTTI_SUM));
        EXPECT(sum == i * tutti_comm_size(comms[i]));
    }
    for (int i = 0; i < AT_ONCE; i++)
        OK(tutti_comm_free(&comms[i]));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    for (int round = 0; round < ROUNDS; round++)
        round_of(round, round % 2);
    if (size <= 4 && job_shares_memory()) many_at_once();
    return job_close();
}

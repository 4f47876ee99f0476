/* SPDX-License-Identifier: BSD-3-Clause */
/* die_in_collective KIND COUNT: the last but one rank kills itself in the middle of a stream of collectives;
 * every other one must get TUTTI_ERR_PEER_FAILED soon, whether or not it talks to the dead one,
 * and say so. What it was given before that must be right. */
#include <signal.h>
#include <string.h>

#include "tests/job/job.h"

#define ROUNDS 1000000
#define ROUND_OF_DEATH 50

static int one_round(const char *kind, int64_t *send, int64_t *recv, size_t count, int round)
{
    for (size_t i = 0; i < count; i++)
        send[i] = round + rank + (int64_t)i;
    if (strcmp(kind, "barrier") == 0) return tutti_barrier(world);
    if (strcmp(kind, "bcast") == 0) return tutti_bcast(world, send, count * sizeof *send, round % size);
    if (strcmp(kind, "reduce") == 0)
        return tutti_reduce(world, send, recv, count, TUTTI_INT64, TUTTI_SUM, round % size);
    const int code = tutti_allreduce(world, send, recv, count, TUTTI_INT64, TUTTI_SUM);
    for (size_t i = 0; code == 0 && i < count; i++)
        EXPECT(recv[i] == (int64_t)size * (round + (int64_t)i) + (int64_t)size * (size - 1) / 2);
    return code;
}

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    EXPECT(argc == 3);
    const size_t count = (size_t)strtoul(argv[2], NULL, 10);
    const int victim = size - 2;
    int64_t *send = calloc(count + 1, sizeof *send), *recv = calloc(count + 1, sizeof *recv);
    EXPECT(send != NULL && recv != NULL);
    int code = 0;
    for (int round = 0; round < ROUNDS && code == 0; round++) {
        if (round == ROUND_OF_DEATH && rank == victim) raise(SIGKILL);
        code = one_round(argv[1], send, recv, count, round);
    }
    EXPECT(code == TUTTI_ERR_PEER_FAILED);
    EXPECT(tutti_error_detail()[0] != '\0');
    /* From now on at once, and in every form. */
    tutti_request *request;
    EXPECT(tutti_barrier(world) == TUTTI_ERR_PEER_FAILED);
    EXPECT(tutti_iallreduce(world, send, recv, count, TUTTI_INT64, TUTTI_SUM, &request) ==
           TUTTI_ERR_PEER_FAILED);
    printf("rank %d is fine: 1 died\n", rank);
    fflush(stdout);
    tutti_finalize(); /* with a dead peer it may complain, not hang */
    free(send);
    free(recv);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* whole DEATHS FORM: the last rank of the communicator, or its first, in turn, kills itself, so often, and
 * each time the others restore it, blocking or by a request (FORM is "blocking" or "nonblocking"). All ranks,
 * of which newcomers begin where the others are, have the old places and the right results each time. */
#include <stdbool.h>

#include "tests/job/lose.h"

/* What the survivors tell newcomers: how many have died so far. */
static int64_t tell_round(tutti_comm *comm, int64_t round)
{
    int64_t most = 0;
    const int64_t mine = tutti_is_newcomer() ? -1 : round;
    OK(tutti_allreduce(comm, tutti_is_newcomer() && round >= 0 ? &round : &mine, &most, 1, TUTTI_INT64,
                       TUTTI_MAX));
    return most;
}

static void exercise(tutti_comm *comm)
{
    EXPECT(tutti_comm_size(comm) == size && tutti_comm_rank(comm) == rank);
    int failed = -1;
    OK(tutti_comm_failed(comm, NULL, 0, &failed));
    EXPECT(failed == 0);
    int64_t mine = 1 << rank, sum = 0, from = -1;
    OK(tutti_allreduce(comm, &mine, &sum, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(sum == (1 << size) - 1);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    OK(tutti_sendrecv(comm, &mine, sizeof mine, next, 5, &from, sizeof from, before, 5, NULL));
    EXPECT(from == 1 << before);
    int64_t large[5000], sums[5000];
    for (int i = 0; i < 5000; i++)
        large[i] = rank + i;
    OK(tutti_allreduce(comm, large, sums, 5000, TUTTI_INT64, TUTTI_SUM));
    for (int i = 0; i < 5000; i++)
        EXPECT(sums[i] == (int64_t)size * i + (int64_t)size * (size - 1) / 2);
    tutti_comm *half;
    OK(tutti_comm_split(comm, rank % 2, rank, &half));
    OK(tutti_barrier(half));
    OK(tutti_comm_free(&half));
}

static tutti_comm *restore(tutti_comm *comm, bool blocking)
{
    tutti_comm *whole = NULL;
    if (blocking) {
        OK(tutti_comm_restore(comm, &whole));
    } else {
        tutti_request *request;
        OK(tutti_comm_irestore(comm, &whole, &request));
        OK(tutti_wait(&request, NULL));
    }
    return whole;
}

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(argc == 3);
    const int deaths = atoi(argv[1]);
    const bool blocking = strcmp(argv[2], "blocking") == 0;
    tutti_comm *comm = world;
    int64_t round = tutti_is_newcomer() ? -1 : 0;
    for (;;) {
        round = tell_round(comm, round);
        exercise(comm);
        if (round == deaths) break;
        lose(comm, round % 2 == 0 ? size - 1 : 0);
        tutti_comm *whole = restore(comm, blocking);
        if (comm != world) OK(tutti_comm_free(&comm));
        comm = whole;
        round++;
    }
    OK(tutti_barrier(comm));
    printf("rank %d of %d is whole%s\n", rank, size, tutti_is_newcomer() ? " and new" : "");
    fflush(stdout);
    if (comm != world || tutti_is_newcomer()) OK(tutti_comm_free(&comm));
    return job_close();
}

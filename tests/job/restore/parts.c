/* SPDX-License-Identifier: BSD-3-Clause */
/* For 6 ranks and 4 others: two halves are restored at the same time, each by its own ranks, and then two
 * communicators of the same ranks, by two requests at a time. No process is given away twice. */
#include <unistd.h>

#include "tests/job/lose.h"

static void see_whole(tutti_comm *comm)
{
    int32_t mine = (int32_t)getpid(), all[6];
    EXPECT(tutti_comm_size(comm) == 3);
    OK(tutti_allgather(comm, &mine, all, sizeof mine));
    EXPECT(all[0] != all[1] && all[1] != all[2] && all[0] != all[2] && all[tutti_comm_rank(comm)] == mine);
}

static void restore_both(tutti_comm *one, tutti_comm *other)
{
    tutti_request *requests[2];
    tutti_comm *wholes[2] = {NULL, NULL};
    OK(tutti_comm_irestore(one, &wholes[0], &requests[0]));
    OK(tutti_comm_irestore(other, &wholes[1], &requests[1]));
    OK(tutti_wait(&requests[0], NULL));
    OK(tutti_wait(&requests[1], NULL));
    see_whole(wholes[1]);
    see_whole(wholes[0]);
    OK(tutti_comm_free(&wholes[0]));
    OK(tutti_comm_free(&wholes[1]));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    if (tutti_is_newcomer()) {
        see_whole(world);
        printf("%s\n", rank == 2 ? "a newcomer is fine" : "wrong rank");
        return job_close();
    }
    tutti_comm *half, *one, *other, *whole;
    OK(tutti_comm_split(world, rank / 3, rank, &half));
    tutti_comm *copies[2];
    OK(tutti_comm_dup(half, &copies[0]));
    OK(tutti_comm_dup(half, &copies[1]));
    one = copies[0], other = copies[1];
    lose(half, 2);
    OK(tutti_comm_restore(half, &whole));
    see_whole(whole);
    if (rank < 3) restore_both(one, other);
    return job_close();
}

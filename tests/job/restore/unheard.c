/* SPDX-License-Identifier: BSD-3-Clause */
/* unheard: a newcomer has the place of rank 1, and while it is given the piece of that the last rank dies,
 * before the newcomer has heard of the piece: it takes nothing then, and all come out of tutti_recall() with
 * the same error. Of the calls inside tutti_recall() two are wrapped by the linker, so that it happens in
 * this order. */
#include "tests/job/keep/state.h"
#include "tests/job/lose.h"

#define TAG_MISSED 98
/* On the version, on a way for the pieces, and on their being there. */
#define LAST_AGREEMENT 3

static tutti_comm *recalling;
static int agreements;

int __real_tutti_send(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag);
int __wrap_tutti_send(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag);
int __real_tutti_comm_agree(tutti_comm *comm, uint64_t *flags);
int __wrap_tutti_comm_agree(tutti_comm *comm, uint64_t *flags);

/* Who tells of the piece waits until the newcomer does not wait for that any more. */
int __wrap_tutti_send(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag)
{
    if (recalling != NULL) OK(tutti_recv(recalling, NULL, 0, dest, TAG_MISSED, NULL));
    return __real_tutti_send(comm, buf, bytes, dest, tag);
}

int __wrap_tutti_comm_agree(tutti_comm *comm, uint64_t *flags)
{
    if (recalling != NULL && ++agreements == LAST_AGREEMENT) {
        if (rank == size - 1) raise(SIGKILL);
        for (int r = 0; tutti_is_newcomer() && r < size - 1; r++)
            if (r != rank) OK(__real_tutti_send(recalling, NULL, 0, r, TAG_MISSED));
    }
    return __real_tutti_comm_agree(comm, flags);
}

int main(void)
{
    tutti_kept pieces[2];
    int count;
    job_open(TUTTI_THREAD_SINGLE);
    tutti_comm *comm = world;
    if (!tutti_is_newcomer()) {
        fill(rank, 1);
        OK(tutti_keep(world, "state", state, STATE_BYTES));
        lose(world, 1);
        OK(tutti_comm_restore(world, &comm));
    }
    recalling = comm;
    EXPECT(tutti_recall(comm, "state", pieces, 2, &count) == TUTTI_ERR_PEER_FAILED);
    EXPECT(agreements == LAST_AGREEMENT);
    if (rank == 0) printf("all have come out\n");
    return job_close();
}

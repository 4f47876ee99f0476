/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator that was restored is revoked before newcomers have their pieces: at every rank recalling
 * them ends with that, and on another one, restored anew, all get them. */
#include "tests/job/lose.h"

static void expect_own(tutti_comm *comm)
{
    tutti_kept piece;
    int count;
    OK(tutti_recall(comm, "state", &piece, 1, &count));
    EXPECT(count == 1 && piece.rank == rank && piece.of == size && piece.bytes == sizeof rank);
    EXPECT(memcmp(piece.data, &rank, sizeof rank) == 0);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    tutti_comm *whole = world, *again;
    tutti_kept piece;
    int count;
    if (!tutti_is_newcomer()) {
        OK(tutti_keep(world, "state", &rank, sizeof rank));
        lose(world, size - 1);
        OK(tutti_comm_restore(world, &whole));
    }
    if (rank == 0) OK(tutti_comm_revoke(whole));
    while (tutti_barrier(whole) != TUTTI_ERR_REVOKED)
        continue;
    EXPECT(tutti_recall(whole, "state", &piece, 1, &count) == TUTTI_ERR_REVOKED);
    OK(tutti_comm_shrink(whole, &again));
    expect_own(again);
    OK(tutti_barrier(again));
    if (tutti_is_newcomer()) printf("a newcomer has its piece\n");
    fflush(stdout);
    OK(tutti_comm_free(&again));
    if (whole != world || tutti_is_newcomer()) OK(tutti_comm_free(&whole));
    return job_close();
}

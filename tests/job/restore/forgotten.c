/* SPDX-License-Identifier: BSD-3-Clause */
/* A newcomer keeps with the others, and forgets what it kept: it is not taken for one that has yet to be
 * given its piece, whether or not there are such ones, on a communicator restored or shrunk. All ranks are
 * told that they differ, and none is given anything. */
#include "tests/job/lose.h"

static void expect_refused(tutti_comm *comm)
{
    tutti_kept piece;
    int count = -1;
    EXPECT(tutti_recall(comm, "state", &piece, 1, &count) == TUTTI_ERR_STATE && count == 0);
    EXPECT(strstr(tutti_error_detail(), "same version of \"state\"") != NULL);
}

static void expect_own(tutti_comm *comm)
{
    tutti_kept piece;
    int count;
    OK(tutti_recall(comm, "state", &piece, 1, &count));
    EXPECT(count == 1 && piece.rank == tutti_comm_rank(comm) && piece.of == tutti_comm_size(comm));
    EXPECT(piece.bytes == sizeof rank && memcmp(piece.data, &rank, sizeof rank) == 0);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size == 4);
    tutti_comm *comm = world, *left;
    const int deaths = tutti_is_newcomer() ? rank : 0; /* before this one came */
    if (deaths < 1) comm = restore_without(comm, 1);
    if (deaths < 2) {
        OK(tutti_keep(comm, "state", &rank, sizeof rank));
        if (deaths == 1) OK(tutti_forget("state"));
        expect_refused(comm);
        comm = restore_without(comm, 2);
    }
    expect_refused(comm);
    lose(comm, 3);
    OK(tutti_comm_shrink(comm, &left));
    expect_refused(left);
    OK(tutti_keep(left, "state", &rank, sizeof rank));
    expect_own(left);
    OK(tutti_barrier(left));
    if (rank == 0) printf("all kept anew\n");
    return job_close();
}

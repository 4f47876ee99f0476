/* SPDX-License-Identifier: BSD-3-Clause */
/* The last rank that kept something dies before a newcomer has recalled its piece: newcomers alone are left,
 * which are told that it is lost, and can begin anew. */
#include "tests/job/lose.h"

static void expect_lost(tutti_comm *comm)
{
    tutti_kept piece;
    int count = -1;
    EXPECT(tutti_recall(comm, "state", &piece, 1, &count) == TUTTI_ERR_LOST && count == 0);
    EXPECT(strstr(tutti_error_detail(), "has died") != NULL &&
           strstr(tutti_error_detail(), "newcomers") != NULL);
    OK(tutti_keep(comm, "state", &rank, sizeof rank));
    OK(tutti_recall(comm, "state", &piece, 1, &count));
    EXPECT(count == 1 && piece.rank == rank && piece.bytes == sizeof rank);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    tutti_comm *comm = world;
    if (!tutti_is_newcomer()) {
        OK(tutti_keep(world, "state", &rank, sizeof rank));
        lose(restore_without(world, 1), 0);
    }
    if (rank == 1) comm = restore_without(world, 0);
    expect_lost(comm);
    if (rank == 0) printf("two newcomers begin anew\n");
    return job_close();
}

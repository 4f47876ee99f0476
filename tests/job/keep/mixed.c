/* SPDX-License-Identifier: BSD-3-Clause */
/* Some ranks keep something else under a name of all, or forget it: what all have kept since is recalled, and
 * else nothing is, at any rank, though each has kept as often as the others. */
#include "tests/job/job.h"

static void keep(tutti_comm *comm, int version)
{
    const int piece[2] = {rank, version};
    OK(tutti_keep(comm, "state", piece, sizeof piece));
}

static void expect_version(tutti_comm *comm, int version)
{
    const int piece[2] = {rank, version};
    tutti_kept kept;
    int count;
    OK(tutti_recall(comm, "state", &kept, 1, &count));
    EXPECT(count == 1 && kept.rank == tutti_comm_rank(comm) && kept.of == tutti_comm_size(comm));
    EXPECT(kept.bytes == sizeof piece && memcmp(kept.data, piece, sizeof piece) == 0);
}

static void expect_refused(tutti_comm *comm)
{
    tutti_kept kept;
    int count = -1;
    EXPECT(tutti_recall(comm, "state", &kept, 1, &count) == TUTTI_ERR_STATE && count == 0);
    EXPECT(strstr(tutti_error_detail(), "same version of \"state\"") != NULL);
}

int main(void)
{
    tutti_comm *half, *twin;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(4);
    const int lower = rank < size / 2;
    OK(tutti_comm_split(world, lower, rank, &half));
    OK(tutti_comm_dup(world, &twin));
    keep(world, 1);
    if (lower) keep(half, 2);
    expect_refused(world);
    if (lower) expect_version(half, 2);
    if (!lower) keep(half, 3); /* the halves have one context */
    expect_refused(world);
    keep(world, 4);
    expect_version(world, 4);
    if (rank == 0) OK(tutti_forget("state"));
    expect_refused(world);
    keep(world, 5);
    expect_version(world, 5);
    if (rank == size - 1) OK(tutti_forget("state"));
    keep(twin, 6);
    keep(world, 7);
    expect_version(twin, 7);
    OK(tutti_comm_free(&twin));
    OK(tutti_comm_free(&half));
    return job_close();
}

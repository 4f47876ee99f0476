/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank cannot map the copy that it is to hold, for a reason that is neither a death nor want of memory: all
 * are told that, and hold the version before, if there is one. The call inside that fails is wrapped by the
 * linker. */
#include <stdbool.h>

#include "keep/room.h"
#include "runtime/base/status.h"
#include "tests/job/job.h"

static bool is_broken;

int __real_tti_keep_room_map(tti_keep_room *room, int job_rank, const tti_node_lasting *shared, size_t bytes);
int __wrap_tti_keep_room_map(tti_keep_room *room, int job_rank, const tti_node_lasting *shared, size_t bytes);

int __wrap_tti_keep_room_map(tti_keep_room *room, int job_rank, const tti_node_lasting *shared, size_t bytes)
{
    if (is_broken && rank == 1) return tti_fail(TUTTI_ERR_SYSTEM, "for this test");
    return __real_tti_keep_room_map(room, job_rank, shared, bytes);
}

static int keep(int version)
{
    return tutti_keep(world, "state", &version, sizeof version);
}

static void expect_broken(int version, const char *left)
{
    is_broken = true;
    EXPECT(keep(version) == TUTTI_ERR_SYSTEM);
    EXPECT(strstr(tutti_error_detail(), rank == 1 ? "for this test" : left) != NULL);
    is_broken = false;
}

static void expect_version(int version)
{
    tutti_kept piece;
    int count;
    OK(tutti_recall(world, "state", &piece, 1, &count));
    EXPECT(count == 1 && memcmp(piece.data, &version, sizeof version) == 0);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    expect_broken(1, "nothing is kept");
    OK(keep(1));
    expect_broken(2, "the version before is kept");
    expect_version(1);
    OK(keep(2));
    expect_version(2);
    return job_close();
}

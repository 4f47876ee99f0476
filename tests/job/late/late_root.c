/* SPDX-License-Identifier: BSD-3-Clause */
/* late_root bcast|barrier|iallreduce: the last rank, root of the broadcast, comes late, and the watchdog of
 * the others says whom they wait for. */
#include <unistd.h>

#include "tests/job/job.h"

static int call(const char *kind)
{
    int32_t value = 1, sum;
    tutti_request *request;
    if (strcmp(kind, "bcast") == 0) return tutti_bcast(world, &value, sizeof value, size - 1);
    if (strcmp(kind, "barrier") == 0) return tutti_barrier(world);
    const int code = tutti_iallreduce(world, &value, &sum, 1, TUTTI_INT32, TUTTI_SUM, &request);
    return code != 0 ? code : tutti_wait(&request, NULL);
}

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    EXPECT(argc == 2);
    OK(call(argv[1]));
    if (rank == size - 1) sleep(3); /* sleepers look up once a second */
    OK(call(argv[1]));
    return job_close();
}

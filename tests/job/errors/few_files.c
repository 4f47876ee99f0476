/* SPDX-License-Identifier: BSD-3-Clause */
/* few_files MORE: joins a job and meets all others, in ranks that may open so many more files. */
#include <sys/resource.h>
#include <unistd.h>

#include "tests/job/job.h"

static void limit_files(int more)
{
    struct rlimit limit;
    EXPECT(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    const int next = dup(STDERR_FILENO);
    EXPECT(next >= 0 && close(next) == 0);
    limit.rlim_cur = (rlim_t)(next + more);
    EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    limit_files(atoi(argv[1]));
    job_open(TUTTI_THREAD_SINGLE);
    int all[64];
    EXPECT(size <= 64);
    TUTTI_CHECK(tutti_allgather(world, &rank, all, sizeof rank));
    return job_close();
}

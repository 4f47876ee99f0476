/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks whose launcher is killed meanwhile (launcher_case): rank 0 waits in a barrier for rank 1, which
 * computes without a call of the library until there is a file "go". All they say goes to stderr. orphan ACT:
 *   plain       SIGTERM does what it does by default
 *   stubborn    rank 0 ignores SIGTERM, and rank 1 says that it came, and goes on */
#include <signal.h>
#include <unistd.h>

#include "tests/job/job.h"
#include "tests/patience.h"

static void tell_asked(int signal)
{
    static const char line[] = "was asked to end\n";
    (void)signal;
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) _exit(2);
}

static void compute(void)
{
    const double begin = job_now_s();
    while (access("go", F_OK) != 0 && job_now_s() < begin + 10 * PATIENCE_S)
        continue;
}

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(argc == 2);
    if (strcmp(argv[1], "stubborn") == 0) signal(SIGTERM, rank == 1 ? tell_asked : SIG_IGN);
    fprintf(stderr, "rank %d is up\n", rank);
    if (rank == 1) compute();
    if (tutti_barrier(world) != 0) sleep(10 * PATIENCE_S); /* rank 1 was ended before */
    fprintf(stderr, "rank %d went on\n", rank);
    return job_close();
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bench/streams/stream_bench.h"

int stream_fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
    return -1;
}

pid_t stream_fork(int *end)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) return stream_fail("a pipe", strerror(errno));
    const pid_t child = fork();
    const bool writes = child == 0;
    if (writes) prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[writes ? 0 : 1]);
    *end = ends[writes ? 1 : 0];
    if (child >= 0) return child;
    stream_fail("fork", strerror(errno));
    close(*end);
    return -1;
}

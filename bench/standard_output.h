/* SPDX-License-Identifier: BSD-3-Clause */
/* The first and the last act of every program of bench and tools. */
#ifndef BENCH_STANDARD_OUTPUT_H
#define BENCH_STANDARD_OUTPUT_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* With a standard descriptor closed the next file that is opened would take its place, and have in it what is
 * printed. What takes it here can be read and written no more than a closed one. */
static inline void standard_output_begin(void)
{
    int fd;
    do
        fd = open("/", O_PATH);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
}

/* Whether it is a pipe that nobody reads any more. */
static inline bool standard_output_is_unread(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/* Returns `status`; but `failure`, with a line on stderr, if that is 0 and what was printed could not be
 * written. A reader that has seen enough (head) is no failure to speak of: then it is the status of who gets
 * SIGPIPE for that, which who started us may have had ignored. */
static inline int standard_output_end(const char *program, int status, int failure)
{
    errno = 0;
    const int failed = fflush(stdout) != 0, reason = errno;
    if (!failed && !ferror(stdout)) return status;
    if (standard_output_is_unread()) return status != 0 ? status : 128 + SIGPIPE;
    fprintf(stderr, "%s: cannot write the standard output%s%s\n", program, failed ? ": " : "",
            failed ? strerror(reason) : "");
    return status != 0 ? status : failure;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The last act of every program of bench and tools. */
#ifndef BENCH_STANDARD_OUTPUT_H
#define BENCH_STANDARD_OUTPUT_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Returns `status`; but `failure`, with a line on stderr, if that is 0 and what was printed could not be
 * written. */
static inline int standard_output_end(const char *program, int status, int failure)
{
    errno = 0;
    const int failed = fflush(stdout) != 0, reason = errno;
    if (!failed && !ferror(stdout)) return status;
    fprintf(stderr, "%s: cannot write the standard output%s%s\n", program, failed ? ": " : "",
            failed ? strerror(reason) : "");
    return status != 0 ? status : failure;
}

#endif

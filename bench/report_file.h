/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is there whole or not at all: written under another name, then renamed. Devices, pipes and
 * links (/dev/stdout) are written straight. A file that was made is said on stderr, and so are failures, with
 * the cause. */
#ifndef BENCH_REPORT_FILE_H
#define BENCH_REPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    FILE *stream;
    const char *path; /* the caller's */
    char *temporary;  /* NULL: written straight */
    int fd;           /* below the stream, for another process to write to */
    int failed;       /* errno of the first write that failed, 0: none */
} bench_file;

bool bench_file_open(bench_file *file, const char *path);
/* Closes; renames if all went well and `good`, else removes. True if the file is there. */
bool bench_file_close(bench_file *file, bool good);

/* Writes `text` between `quote`s, doubling those inside, as CSV and gnuplot have it. */
void bench_put_quoted(FILE *out, char quote, const char *text);

#endif

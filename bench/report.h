/* SPDX-License-Identifier: BSD-3-Clause */
/* What rank 0 shows and writes. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/clock_sync.h"
#include "bench/result.h"

/* The table, a line as soon as it is measured. */
void bench_table_head(FILE *out, const bench_run *run, const bench_layout *layout);
/* `before` is the line above it, or NULL: a heading goes between the lines of different tests. */
void bench_table_line(FILE *out, const bench_result *result, const bench_result *before);

/* The files. False after one line on stderr that names file and cause; then an earlier file of that name is
 * as it was. */
bool bench_write_json(const bench_results *results, const char *path);
bool bench_write_csv(const bench_results *results, const char *path);
bool bench_write_plot(const bench_results *results, const char *path);
/* Before an hour of measuring: can such a file be made? */
bool bench_can_write(const char *path);
/* Is gnuplot there? */
bool bench_can_plot(void);

/* One line of what is under way, if stderr is a terminal; NULL clears it. */
void bench_progress(const char *text);

#endif

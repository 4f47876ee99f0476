/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents that ranks send, and what must come out. All values are small whole numbers, so that sums of
 * floats are exact whatever the order in which a library adds. */
#ifndef BENCH_PATTERN_H
#define BENCH_PATTERN_H

#include <stddef.h>

#include "bench/port.h"

size_t bench_type_bytes(enum port_type type);
/* Bytes as rank `rank` sends them; `turn` makes them differ from size to size, so that what is left over from
 * an earlier one does not pass for right. */
void bench_fill_bytes(void *buf, size_t bytes, int rank, int turn);
/* Place of the first byte that is not as bench_fill_bytes() has it, or -1; *expected and *got then. */
long long bench_check_bytes(const void *buf, size_t bytes, int rank, int turn, double *expected, double *got);
/* Elements for a reduction with `op`, and the result of all `size` ranks' (same conventions). */
void bench_fill_elements(void *buf, size_t count, enum port_type type, enum port_op op, int rank);
long long bench_check_elements(const void *buf, size_t count, enum port_type type, enum port_op op, int size,
                               double *expected, double *got);

#endif

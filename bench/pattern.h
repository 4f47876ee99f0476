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
/* Elements for a reduction with `op`. */
void bench_fill_elements(void *buf, size_t count, enum port_type type, enum port_op op, int rank);
/* The result of ranks 0 … ranks - 1, from element `first` on; and its check (same conventions). */
typedef struct {
    enum port_type type;
    enum port_op op;
    int ranks;
    size_t first;
} bench_combination;
long long bench_check_elements(const void *buf, size_t count, const bench_combination *of, double *expected,
                               double *got);

#endif

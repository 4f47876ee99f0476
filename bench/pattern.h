/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents that ranks send, and what must come out. All values are small whole numbers, so that sums of
 * floats are exact whatever the order in which a library adds. */
#ifndef BENCH_PATTERN_H
#define BENCH_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/port.h"

/* What is wrong: where, counted in bytes or elements, and what stands there. */
typedef struct {
    long long element;
    double expected, got;
} bench_fault;

size_t bench_type_bytes(enum port_type type);
/* Bytes as rank `rank` sends them; `pattern` makes them differ from size to size, so that what is left over
 * from an earlier one does not pass for right. */
void bench_fill_bytes(void *buf, size_t bytes, int rank, int pattern);
/* Whether all bytes are as bench_fill_bytes() has them; if not, *fault is the first that is otherwise. */
bool bench_holds(const void *buf, size_t bytes, int rank, int pattern, bench_fault *fault);
/* Elements for a reduction with `op`. */
void bench_fill_elements(void *buf, size_t count, enum port_type type, enum port_op op, int rank);
/* The result of ranks 0 … ranks - 1, from element `first` on; and whether it is there. */
typedef struct {
    enum port_type type;
    enum port_op op;
    int ranks;
    size_t first;
} bench_combination;
bool bench_holds_elements(const void *buf, size_t count, const bench_combination *of, bench_fault *fault);

#endif

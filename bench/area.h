/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the machine alone stand on: memory that all ranks share, in which each has a line of its
 * own to say how often it has come. */
#ifndef BENCH_AREA_H
#define BENCH_AREA_H

#include <stdatomic.h>
#include <sys/types.h>

#include "bench/suite.h"

/* Processors fetch lines in pairs. */
typedef struct {
    _Alignas(128) _Atomic uint32_t word; /* how often the rank has come */
    pid_t pid;
    uint64_t buffer;                      /* address of what it sends, there */
    _Alignas(128) _Atomic uint32_t taken; /* how many parts others have taken of it */
} bench_area_line;

/* Collective. The area, with `bytes` of data behind the lines, in c->base; a failure ends the job. */
void bench_area_open(bench_case *c, size_t bytes);
void bench_area_close(bench_case *c, size_t bytes);

/* One line for each rank; two more, in which they are counted, and in which the last to come says so. */
bench_area_line *bench_area_lines(const bench_case *c);
bench_area_line *bench_area_mine(const bench_case *c);
/* Zeroed, shared. */
char *bench_area_data(const bench_case *c);

/* Counts the turns of a case, all ranks alike: the one that begins. */
static inline uint32_t bench_area_next(bench_case *c)
{
    return (uint32_t)++c->done;
}

void bench_area_say(_Atomic uint32_t *word, uint32_t value);
bool bench_area_has(const _Atomic uint32_t *word, uint32_t least);
/* Between looks: after `looks` of them in vain, and at once where ranks share cores, the core is offered. */
void bench_area_pause(const bench_case *c, int looks);
void bench_area_await(const bench_case *c, const _Atomic uint32_t *word, uint32_t least);
/* Copies `bytes` at `offset` of what `from` sends to `here`, by the kernel; a failure ends the job. */
void bench_area_read(const bench_case *c, int from, void *here, size_t bytes, size_t offset);

#endif

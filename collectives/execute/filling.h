/* SPDX-License-Identifier: BSD-3-Clause */
/* How a rank had best write what others read in its window. A line that another processor has read must be
 * taken back from its caches before it is written again: that takes five times as long where the two share no
 * cache. Past the caches (runtime/base/past.h) it need not be, but then it is read from memory. Which way is
 * the shorter one changes while a program runs: virtual processors wander within seconds, and ranks from one
 * processor to another. So some of the copies that go through the caches are timed. Under the lock. */
#ifndef TTI_EXECUTE_FILLING_H
#define TTI_EXECUTE_FILLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/figures.h"

/* Less goes through the caches, and is not timed. */
#define TTI_FILLING_LEAST 2048

typedef struct {
    int64_t mib_ns;    /* to copy a MiB into windows, through the caches: a mean of the last times */
    size_t past_least; /* from so many bytes on it is shorter past them */
    uint32_t count;    /* of copies */
} tti_filling;

/* Before anything is timed it takes no longer than any copy. */
void tti_filling_open(tti_filling *filling, const tti_figures *figures);
/* memcpy() into a window. True: it went past the caches. */
bool tti_filling_copy(tti_filling *filling, const tti_figures *figures, void *to, const void *from,
                      size_t bytes);
/* What that rests on: such a copy through the caches has taken `ns`. */
void tti_filling_note(tti_filling *filling, const tti_figures *figures, size_t bytes, int64_t ns);

#endif

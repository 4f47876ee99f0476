/* SPDX-License-Identifier: BSD-3-Clause */
/* A count of elements in nearly equal contiguous parts, larger ones first; and places on a ring. Pure. */
#ifndef TTI_PATTERNS_PARTS_H
#define TTI_PATTERNS_PARTS_H

#include <stddef.h>

/* First element of part `index` of `parts`; index == parts gives `count`. */
static inline size_t tti_part_start(size_t count, int parts, int index)
{
    const size_t base = count / (size_t)parts, larger = count % (size_t)parts;
    const size_t i = (size_t)index;
    return i * base + (i < larger ? i : larger);
}

static inline size_t tti_part_size(size_t count, int parts, int index)
{
    return tti_part_start(count, parts, index + 1) - tti_part_start(count, parts, index);
}

/* The rank `distance` beyond (0 ≤ distance ≤ size) or, negative, before `rank` on a ring. */
static inline int tti_ring(int rank, int distance, int size)
{
    const long long at = ((long long)rank + distance) % size;
    return (int)(at < 0 ? at + size : at);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of slots in a row a step has to move: at their beginning numbers tell how many bytes of each are
 * used. All slots are as deep, and lie in layers: the first bytes of each, then the next of each.
 *
 *   numbers │ 64 bytes of each slot │ 192 more of each │ 768 more of each │ …      depths 64, 256, 1024, … */
#ifndef TTI_SCHEDULE_NEED_H
#define TTI_SCHEDULE_NEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TTI_FIRST_LAYER ((size_t)64)

typedef struct {
    size_t before; /* the numbers stand so far in front of what the step reads */
    int count;     /* of numbers */
    size_t most;   /* depth of all layers: what a higher number tells of is not in its slot */
    size_t over;   /* nothing is needed for numbers up to here, and for others */
    size_t head;   /* bytes that are needed in front of the slots */
    size_t slots;  /* how many; so many times the depth is needed, but not more than the step has */
} tti_need;

static inline size_t tti_need_deeper(size_t depth, size_t most)
{
    return depth < most / 4 ? depth * 4 : most;
}
/* The layers in which so many bytes are, at least the first, in bytes of a slot. */
static inline size_t tti_need_depth(size_t most, size_t used)
{
    size_t depth = TTI_FIRST_LAYER < most ? TTI_FIRST_LAYER : most;
    while (depth < used && depth < most)
        depth = tti_need_deeper(depth, most);
    return depth;
}
/* Takes in one of the numbers; `used` is the highest so far that counts, at first 0. */
static inline size_t tti_need_take(const tti_need *need, size_t used, uint64_t number)
{
    return number <= need->most && number > used ? (size_t)number : used;
}
/* What a step of `bytes` moves. */
static inline size_t tti_need_bytes(const tti_need *need, size_t bytes, size_t used)
{
    const size_t depth = tti_need_depth(need->most, used), needed = need->head + need->slots * depth;
    if (depth <= need->over) return 0;
    return needed < bytes ? needed : bytes;
}
/* Whether the receiver of a message of up to `bytes` may get so many. */
static inline bool tti_need_allows(const tti_need *need, size_t bytes, size_t got)
{
    for (size_t depth = tti_need_depth(need->most, 0);; depth = tti_need_deeper(depth, need->most)) {
        if (tti_need_bytes(need, bytes, depth) == got) return true;
        if (depth == need->most) return false;
    }
}

#endif

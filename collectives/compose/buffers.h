/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers in SCRATCH, all of one size, that take turns: what comes is in one while another is combined, or
 * sent on. The builder sees to it that a buffer is filled again only when what was there has been used. */
#ifndef TTI_COMPOSE_BUFFERS_H
#define TTI_COMPOSE_BUFFERS_H

#include "collectives/schedule/builder.h"

typedef struct {
    tti_place at;  /* of the first */
    size_t stride; /* from one to the next */
    int count;
} tti_buffers;

/* So many, or none, of `bytes` each. */
static inline tti_buffers tti_buffers_open(tti_builder *builder, size_t bytes, int count)
{
    const size_t stride = tti_lines(bytes);
    return (tti_buffers){tti_build_scratch(builder, stride * (size_t)count), stride, count};
}

/* The one in turn, counted from 0. Of none there is no turn. */
static inline tti_place tti_buffers_at(const tti_buffers *buffers, int turn)
{
    return tti_place_plus(buffers->at, buffers->stride * (size_t)(turn % buffers->count));
}

/* How many for what comes whole, from several: `least` let one come while another is combined, and more, up
 * to `most`, serve only while they are small. */
static inline int tti_buffers_count(size_t bytes, int least, int most)
{
    const size_t small = ((size_t)256 << 10) / (bytes > 0 ? bytes : 1);
    const size_t count = small > (size_t)least ? small : (size_t)least;
    return count < (size_t)most ? (int)count : most;
}

#endif

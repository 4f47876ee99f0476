/* SPDX-License-Identifier: BSD-3-Clause */
/* How a message is cut for a pipeline. */
#ifndef TTI_BCAST_CHUNKS_H
#define TTI_BCAST_CHUNKS_H

#include "collectives/contract/algorithm.h"

/* More make the schedule long without making the pipeline better. */
#define TTI_CHUNKS_MOST 4096

static inline size_t tti_chunk_bytes(const tti_shape *shape)
{
    const size_t least = (tti_shape_bytes(shape) + TTI_CHUNKS_MOST - 1) / TTI_CHUNKS_MOST;
    return shape->chunk > least ? shape->chunk : least;
}

/* The same for a reduction: of whole elements. */
static inline size_t tti_chunk_elements(const tti_shape *shape)
{
    const size_t elements = tti_chunk_bytes(shape) / shape->element;
    return (elements > 0 ? elements : 1) * shape->element;
}

#endif

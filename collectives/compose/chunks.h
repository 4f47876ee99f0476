/* SPDX-License-Identifier: BSD-3-Clause */
/* How a message is cut for a pipeline. */
#ifndef TTI_COMPOSE_CHUNKS_H
#define TTI_COMPOSE_CHUNKS_H

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

/* Bytes of a message where parts of up to `largest` bytes go around a ring, in `steps` steps: a few chunks
 * each, for which there are tags. */
#define TTI_CHUNKS_OF_PART 16
static inline size_t tti_chunk_of_parts(const tti_shape *shape, size_t largest, int steps)
{
    const size_t tags = (size_t)TTI_BUILD_TAGS / (size_t)(steps > 0 ? steps : 1);
    const size_t most = tags > TTI_CHUNKS_OF_PART ? TTI_CHUNKS_OF_PART : tags > 0 ? tags : 1;
    const size_t elements = largest / shape->element, least = (elements + most - 1) / most * shape->element;
    const size_t chunk = tti_chunk_elements(shape);
    return chunk > least ? chunk : least;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipelined chain: chunk c goes from rank to rank while chunk c+1 follows behind it. (P - 2 + n/c)·(α +
 * cβ): for n much larger than P·c.
 *
 *   time        1     2     3     4     5
 *   0 → 1       c0    c1    c2
 *   1 → 2             c0    c1    c2
 *   2 → 3                   c0    c1    c2
 *
 * J. Watts, R. van de Geijn, "A pipelined broadcast for multidimensional meshes", 1995. */
#include "collectives/bcast/bcast.h"
#include "collectives/compose/chunks.h"
#include "collectives/patterns/tree.h"

void tti_bcast_chain(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    const size_t chunk = tti_chunk_bytes(shape);
    const int v = tti_rotate(shape->rank, shape->root, shape->size);
    int tag = 0;
    for (size_t at = 0; at < bytes; at += chunk, tag++) {
        const size_t n = chunk < bytes - at ? chunk : bytes - at;
        const tti_place place = tti_place_at(TTI_OUTPUT, at);
        if (v > 0) tti_build_recv(builder, place, n, tti_rotate_back(v - 1, shape->root, shape->size), tag);
        if (v + 1 < shape->size)
            tti_build_send(builder, place, n, tti_rotate_back(v + 1, shape->root, shape->size), tag);
    }
}

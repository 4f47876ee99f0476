/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline along the chain of all ranks: each adds its own to a chunk and passes the result on, while the
 * next chunk follows behind it. (P - 2 + n/c)·(α + c(β + γ)): for n much larger than P·c.
 *
 *   time        1     2     3     4
 *   0 → 1       c0    c1    c2
 *   1 → 2             c0    c1    c2
 *
 * P. Sanders, J. Träff, "Parallel prefix (scan) algorithms for MPI", 2006 (linear pipeline). */
#include "collectives/compose/chunks.h"
#include "collectives/scan/scan.h"

/* Receive buffers, each of a chunk: one is filled while another is combined. */
#define SLOTS 2

void tti_scan_chain(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), chunk = tti_chunk_elements(shape);
    const size_t stride = ((chunk < bytes ? chunk : bytes) + 63) & ~(size_t)63;
    const tti_place slots = tti_build_scratch(builder, shape->rank > 0 ? SLOTS * stride : 0);
    int number = 0;
    for (size_t at = 0; at < bytes; at += chunk, number++) {
        const size_t n = chunk < bytes - at ? chunk : bytes - at;
        const tti_place sum = tti_place_at(TTI_OUTPUT, at);
        const tti_place slot = tti_place_plus(slots, stride * (size_t)(number % SLOTS));
        tti_build_copy(builder, tti_place_plus(tti_shape_own(shape), at), sum, n);
        if (shape->rank > 0) {
            tti_build_recv(builder, slot, n, shape->rank - 1, number);
            tti_build_reduce(builder, slot, sum, n);
        }
        if (shape->rank < shape->size - 1) tti_build_send(builder, sum, n, shape->rank + 1, number);
    }
}

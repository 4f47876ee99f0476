/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/allgather/allgather.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/radix.h"

/* In SCRATCH (at rank 0: in OUTPUT, where it is the same) block i is that of rank + i. */
static tti_place bring_in(const tti_shape *shape, tti_builder *builder, size_t block)
{
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const tti_place mine = tti_place_plus(output, block * (size_t)shape->rank);
    const tti_place turned =
        shape->rank == 0 ? output : tti_build_scratch(builder, block * (size_t)shape->size);
    tti_build_copy(builder, shape->in_place ? mine : tti_place_at(TTI_INPUT, 0), turned, block);
    return turned;
}

static void turn_back(const tti_shape *shape, tti_builder *builder, size_t block, tti_place turned)
{
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const size_t before = block * (size_t)shape->rank; /* bytes of the ranks below */
    const size_t from = block * (size_t)(shape->size - shape->rank);
    const size_t there = shape->in_place ? block : 0; /* the caller's own never left */
    if (shape->rank == 0) return;
    tti_build_copy(builder, tti_place_plus(turned, there), tti_place_plus(output, before + there),
                   from - there);
    tti_build_copy(builder, tti_place_plus(turned, from), output, before);
}

/* k-Bruck: in round r a rank gets from the ranks j·k^r beyond it (j = 1 … k-1) the k^r blocks that they have;
 * then everything is turned into place. Any number of ranks in ⌈log_k⌉ rounds.
 *
 *   5 ranks, radix 2, rank 1     start  1····     round 0  12···     round 1  1234·     round 2  12340
 *
 * J. Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing systems",
 * 1997. */
void tti_allgather_bruck(const tti_shape *shape, tti_builder *builder)
{
    const size_t block = tti_shape_bytes(shape);
    const int size = shape->size;
    const tti_place turned = bring_in(shape, builder, block);
    const int count = tti_radix_count(size, shape->radix);
    for (int i = 0; i < count; i++) {
        const int distance = (int)tti_radix_distance(i, shape->radix);
        const int round = tti_radix_round(i, shape->radix);
        const int64_t have = tti_radix_power(shape->radix, round);
        const int blocks = have < size - distance ? (int)have : size - distance;
        const size_t bytes = block * (size_t)blocks;
        tti_build_send(builder, turned, bytes, tti_ring(shape->rank, -distance, size), round);
        tti_build_recv(builder, tti_place_plus(turned, block * (size_t)distance), bytes,
                       tti_ring(shape->rank, distance, size), round);
    }
    turn_back(shape, builder, block, turned);
}

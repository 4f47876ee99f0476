/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/allreduce/allreduce.h"
#include "collectives/patterns/parts.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int left, right;
} call;

static size_t part_bytes(const call *c, int part)
{
    return tti_part_size(c->shape->count, c->shape->size, part) * c->shape->element;
}

static tti_place part_at(const call *c, tti_place base, int part)
{
    return tti_place_plus(base, tti_part_start(c->shape->count, c->shape->size, part) * c->shape->element);
}

/* In step t rank r sends the sum of part r - t over ranks r - t … r, and receives that of part r - t - 1. */
static void reduce_scatter(const call *c)
{
    const int rank = c->shape->rank, size = c->shape->size;
    const tti_place own = tti_shape_own(c->shape), output = tti_place_at(TTI_OUTPUT, 0);
    const size_t largest = part_bytes(c, 0);
    const size_t stride = (largest + 63) & ~(size_t)63;
    const tti_place slots = tti_build_scratch(c->builder, c->shape->in_place ? 2 * stride : 0);
    tti_place sum = part_at(c, own, rank);
    for (int t = 0; t < size - 1; t++) {
        const int in = tti_ring(rank, -t - 1, size);
        const tti_place to = part_at(c, output, in), mine = part_at(c, own, in);
        const tti_place slot = c->shape->in_place ? tti_place_plus(slots, stride * (size_t)(t % 2)) : to;
        tti_build_send(c->builder, sum, part_bytes(c, tti_ring(rank, -t, size)), c->right, t);
        tti_build_recv(c->builder, slot, part_bytes(c, in), c->left, t);
        if (c->shape->in_place)
            tti_build_reduce(c->builder, slot, to, part_bytes(c, in));
        else
            tti_build_reduce(c->builder, mine, to, part_bytes(c, in));
        sum = to;
    }
}

static void allgather(const call *c)
{
    const int rank = c->shape->rank, size = c->shape->size;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    for (int t = 0; t < size - 1; t++) {
        const int out = tti_ring(rank, 1 - t, size), in = tti_ring(rank, -t, size);
        tti_build_send(c->builder, part_at(c, output, out), part_bytes(c, out), c->right, size + t);
        tti_build_recv(c->builder, part_at(c, output, in), part_bytes(c, in), c->left, size + t);
    }
}

/* Reduce-scatter around a ring, then allgather around it: least bandwidth, most rounds. Part s is summed on
 * its way from rank s around to rank s - 1, so the operation must commute.
 *
 *   3 ranks, parts a b c      sums after step 1      after step 2       allgather
 *   rank 0   a0 b0 c0         c2+c0                  b1+b2+b0           b, then a, then c
 *   rank 1   a1 b1 c1         a0+a1                  c2+c0+c1
 *   rank 2   a2 b2 c2         b1+b2                  a0+a1+a2
 *
 * P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009. */
void tti_allreduce_ring(const tti_shape *shape, tti_builder *builder)
{
    const call c = {shape, builder, tti_ring(shape->rank, -1, shape->size),
                    tti_ring(shape->rank, 1, shape->size)};
    if (shape->size == 1)
        tti_build_copy(builder, tti_shape_own(shape), tti_place_at(TTI_OUTPUT, 0), tti_shape_bytes(shape));
    reduce_scatter(&c);
    allgather(&c);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter, then allgather, around a ring of all ranks, in whole parts or in chunks of them: 2(P - 1)
 * rounds and 2n(P - 1)/P bytes, between neighbours alone. For very large data on few ranks. */
#include <stdint.h>

#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/buffers.h"
#include "collectives/compose/chunks.h"
#include "collectives/patterns/parts.h"

/* Each of a part: one is filled while the other is combined. */
#define BUFFERS 2

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int left, right;
    size_t chunk; /* bytes of a message at most */
} call;

static size_t part_bytes(const call *c, int part)
{
    return tti_shape_cut(c->shape, c->shape->size, part).bytes;
}

static tti_place part_at(const call *c, tti_place base, int part)
{
    return tti_place_plus(base, tti_shape_cut(c->shape, c->shape->size, part).at);
}

static size_t chunk_bytes(const call *c, int part, size_t at)
{
    const size_t bytes = part_bytes(c, part), left = bytes > at ? bytes - at : 0;
    return left < c->chunk ? left : c->chunk;
}

/* A chunk of a step's parts: the sum of the one goes on, and what comes of the other is combined with the
 * caller's own. In place that is where the sum is to be, so that it comes to a buffer. */
static void pass(const call *c, int t, const tti_buffers *buffers, size_t at, int tag)
{
    const int rank = c->shape->rank, size = c->shape->size;
    const int out = tti_ring(rank, -t, size), in = tti_ring(rank, -t - 1, size);
    const tti_place output = tti_place_at(TTI_OUTPUT, 0), own = tti_shape_own(c->shape);
    const tti_place to = tti_place_plus(part_at(c, output, in), at);
    const tti_place sum = tti_place_plus(part_at(c, t == 0 ? own : output, out), at);
    const size_t bytes = chunk_bytes(c, in, at);
    const bool aside = c->shape->in_place;
    const tti_place comes = aside ? tti_place_plus(tti_buffers_at(buffers, t), at) : to;
    tti_build_send(c->builder, sum, chunk_bytes(c, out, at), c->right, tag);
    tti_build_recv(c->builder, comes, bytes, c->left, tag);
    tti_build_reduce(c->builder, aside ? comes : tti_place_plus(part_at(c, own, in), at), to, bytes);
}

/* In step t rank r sends the sum of part r - t over ranks r - t … r, and receives that of part r - t - 1. */
static int reduce_scatter(const call *c)
{
    const size_t largest = part_bytes(c, 0);
    const tti_buffers buffers = tti_buffers_open(c->builder, largest, c->shape->in_place ? BUFFERS : 0);
    int tag = 0;
    for (int t = 0; t < c->shape->size - 1; t++)
        for (size_t at = 0; at < largest; at += c->chunk)
            pass(c, t, &buffers, at, tag++);
    return tag;
}

/* Its messages have the tags from `tag` on. */
static void allgather(const call *c, int tag)
{
    const int rank = c->shape->rank, size = c->shape->size;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    for (int t = 0; t < size - 1; t++)
        for (size_t at = 0; at < part_bytes(c, 0); at += c->chunk, tag++) {
            const int out = tti_ring(rank, 1 - t, size), in = tti_ring(rank, -t, size);
            tti_build_send(c->builder, tti_place_plus(part_at(c, output, out), at), chunk_bytes(c, out, at),
                           c->right, tag);
            tti_build_recv(c->builder, tti_place_plus(part_at(c, output, in), at), chunk_bytes(c, in, at),
                           c->left, tag);
        }
}

static void around(const tti_shape *shape, tti_builder *builder, size_t chunk)
{
    const call c = {shape, builder, tti_ring(shape->rank, -1, shape->size),
                    tti_ring(shape->rank, 1, shape->size), chunk};
    if (shape->size == 1)
        tti_build_copy(builder, tti_shape_own(shape), tti_place_at(TTI_OUTPUT, 0), tti_shape_bytes(shape));
    else
        allgather(&c, reduce_scatter(&c));
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
    around(shape, builder, SIZE_MAX / 2);
}

/* The same with parts in chunks: one is combined, and sent on, while the next one comes.
 *
 * J. Pješivac-Grbović et al., "Performance analysis of MPI collective operations", 2007 (segmented ring). */
void tti_allreduce_ring_chunks(const tti_shape *shape, tti_builder *builder)
{
    const size_t largest = tti_shape_cut(shape, shape->size, 0).bytes;
    around(shape, builder, tti_chunk_of_parts(shape, largest, 2 * shape->size));
}

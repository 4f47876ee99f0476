/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline along the chain of all ranks, as by messages (prefix_chain.c): each adds its own to what the
 * rank below has laid into its WINDOW, and lays the sum into its own. A post says that a block is there, and
 * that the same block of the rank below has been read. Of blocks of c bytes: (P - 2 + n/c)·(α + c(β + γ)).
 *
 *   time              1     2     3     4
 *   WINDOW of 0       c0    c1    c2
 *   WINDOW of 1             c0    c1    c2
 *
 * P. Sanders, J. Träff, "Parallel prefix (scan) algorithms for MPI", 2006 (linear pipeline). */
#include "collectives/compose/chunks.h"
#include "collectives/compose/prefix.h"
#include "collectives/compose/window_blocks.h"

/* Blocks that may lie between a rank and the next: so many are passed in one turn on a shared processor. */
#define REGIONS TTI_WINDOW_REGIONS

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int k; /* its number */
    tti_place own, output;
    size_t region, bytes;
} block;

static block block_at(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks, int k)
{
    const size_t at = tti_blocks_at(blocks, k);
    return (block){.shape = shape,
                   .builder = builder,
                   .k = k,
                   .own = tti_place_plus(tti_shape_own(shape), at),
                   .output = tti_place_at(TTI_OUTPUT, at),
                   .region = tti_blocks_region(blocks, k % REGIONS),
                   .bytes = tti_blocks_bytes(blocks, k)};
}

/* The own goes to where the sum will be: where the next rank finds it, which has read what was there. */
static void lay(const block *b, tti_place to)
{
    const bool used = b->shape->rank + 1 < b->shape->size && b->k >= REGIONS;
    if (used) tti_build_await_post(b->builder, b->shape->rank + 1, b->k - REGIONS + 1);
    tti_build_copy(b->builder, b->own, to, b->bytes);
}

/* The sum of the ranks below becomes that with the own; it is the result of an exscan. */
static void take(const block *b, tti_place sum, bool inclusive)
{
    const int below = b->shape->rank - 1;
    tti_build_await_post(b->builder, below, b->k + 1);
    if (inclusive) {
        tti_build_reduce_from(b->builder, below, b->region, sum, b->bytes);
        return;
    }
    tti_build_copy_from(b->builder, below, b->region, b->output, b->bytes);
    if (b->shape->rank + 1 < b->shape->size) tti_build_reduce(b->builder, b->output, sum, b->bytes);
}

static void pass(const block *b, bool inclusive)
{
    const int rank = b->shape->rank;
    const bool last = rank + 1 == b->shape->size;
    const tti_place sum = last ? b->output : tti_place_at(TTI_WINDOW, b->region);
    if (inclusive || !last) lay(b, sum);
    if (rank > 0) take(b, sum, inclusive);
    tti_build_post(b->builder, TTI_ALL);
    if (inclusive && !last) tti_build_copy(b->builder, sum, b->output, b->bytes);
}

/* Of a chunk, where a region has room for it (a rule of the user's may make it as long as can be). With
 * longer ones a rank passes all of its data in one turn, and the ranks of a processor come one after the
 * other while the next processor waits for the last of them. */
static tti_blocks open_blocks(const tti_shape *shape)
{
    tti_shape narrow = *shape;
    const size_t chunk = tti_chunk_elements(shape);
    if (chunk < shape->window && REGIONS * tti_lines(chunk) < shape->window)
        narrow.window = REGIONS * tti_lines(chunk);
    return tti_blocks_open(&narrow, tti_shape_bytes(shape), REGIONS);
}

void tti_prefix_passed(const tti_shape *shape, tti_builder *builder, bool inclusive)
{
    if (tti_prefix_alone(shape, builder, inclusive)) return;
    const tti_blocks blocks = open_blocks(shape);
    for (int k = 0; k < blocks.count; k++) {
        const block b = block_at(shape, builder, &blocks, k);
        pass(&b, inclusive);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/patterns/rounds.h"

#include "collectives/patterns/bine.h"
#include "collectives/patterns/circulant.h"
#include "collectives/patterns/parts.h"

void tti_rounds_circulant(int rank, int size, int *memory, tti_rounds *rounds)
{
    tti_circulant graph;
    tti_circulant_open(size, &graph);
    *rounds = (tti_rounds){
        .size = size, .rounds = graph.rounds, .order = memory, .source = memory + size, .have = {1}};
    for (int k = 0; k < graph.rounds; k++) {
        rounds->to[k] = tti_ring(rank, -graph.skip[k], size);
        rounds->from[k] = tti_ring(rank, graph.skip[k], size);
        rounds->have[k + 1] = graph.skip[k + 1];
        for (int i = graph.skip[k]; i < graph.skip[k + 1]; i++)
            rounds->source[i] = i - graph.skip[k];
    }
    for (int i = 0; i < size; i++)
        rounds->order[i] = tti_ring(rank, i, size);
}

/* The block to which the caller is at `offset` (of a Bine tree from place 0): the trees of even blocks are
 * turned, those of odd ones mirrored. */
static int bine_block(int rank, int offset, int size)
{
    return tti_ring(rank, rank % 2 == offset % 2 ? -offset : offset, size);
}

void tti_rounds_bine(int rank, int size, int *memory, tti_rounds *rounds)
{
    int *order = memory, *source = memory + size, *at = memory + 2 * size;
    /* The order is that of the ways; in place of its place each way gets its position. */
    const int steps = tti_bine_ways(size, at);
    *rounds = (tti_rounds){.size = size, .rounds = steps, .order = order, .source = source, .have = {1}};
    order[0] = rank;
    at[0] = 0;
    for (int k = 0, n = 1; k < steps; k++) {
        rounds->to[k] = rounds->from[k] = tti_bine_partner(rank, steps - 1 - k, size);
        for (int way = 1 << k; way < 2 << k; way++) {
            if (at[way] < 0) continue;
            order[n] = bine_block(rank, at[way], size);
            source[n] = at[way ^ 1 << k];
            at[way] = n++;
        }
        rounds->have[k + 1] = n;
    }
}

void tti_rounds_far(int rank, int size, int *memory, tti_rounds *rounds)
{
    int *order = memory, *source = memory + size, *offset = memory + 2 * size, steps = 0, n = 1;
    while (1LL << steps < size)
        steps++;
    *rounds = (tti_rounds){.size = size, .rounds = steps, .order = order, .source = source, .have = {1}};
    order[0] = rank;
    offset[0] = 0; /* from where the block began */
    for (int k = 0; k < steps; k++) {
        const int distance = 1 << (steps - 1 - k);
        rounds->to[k] = tti_ring(rank, distance, size);
        rounds->from[k] = tti_ring(rank, -distance, size);
        for (int i = 0; i < rounds->have[k]; i++) {
            if (offset[i] + distance >= size) continue;
            offset[n] = offset[i] + distance;
            order[n] = tti_ring(rank, -offset[n], size);
            source[n++] = i;
        }
        rounds->have[k + 1] = n;
    }
}

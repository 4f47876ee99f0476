/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/patterns/rounds.h"

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

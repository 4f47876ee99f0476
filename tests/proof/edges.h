/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours of all ranks, for exchanges between them: drawn at random, with edges that are there several
 * times or lead back, and ranks that have none; or grids and stencils, with dimensions of one and two places
 * that come round, and with edges. */
#ifndef TESTS_PROOF_EDGES_H
#define TESTS_PROOF_EDGES_H

#include "collectives/contract/contract.h"
#include "tests/proof/random.h"
#include "tests/unit/expect.h"

/* Edges from one rank at most. */
#define EDGES_MOST 7
#define STENCIL_MOST 12

static inline const tti_neighbour_list *edges_of(const tti_shape *all, int rank, bool targets)
{
    return targets ? &all->neighbours[rank].targets : &all->neighbours[rank].sources;
}

static inline bool edges_isolates(int rank, int size)
{
    return size > 3 && rank % 5 == 3;
}

/* Number `i` of what rank `source` sends to, or -1. Among few ranks many are the same. */
static inline int edges_draw(int source, int size, size_t seed, int i)
{
    uint64_t state = (uint64_t)source * 1000003 + seed * 10007;
    const int count = random_below(&state, EDGES_MOST + 1);
    if (i >= count || edges_isolates(source, size)) return -1;
    int target = source;
    for (int n = 0; n <= i; n++)
        target = (source + random_below(&state, size < 6 ? size : 6) * (n % 2 == 0 ? 1 : size - 1)) % size;
    return edges_isolates(target, size) ? source : target;
}

static inline tti_neighbours *edges_drawn(int rank, int size, size_t seed)
{
    int targets[EDGES_MOST], to = 0, from = 0, *sources = malloc((size_t)size * EDGES_MOST * sizeof *sources);
    EXPECT(sources != NULL);
    for (int i = 0; edges_draw(rank, size, seed, i) >= 0; i++)
        targets[to++] = edges_draw(rank, size, seed, i);
    for (int r = size - 1; r >= 0; r--)
        for (int i = 0; edges_draw(r, size, seed, i) >= 0; i++)
            if (edges_draw(r, size, seed, i) == rank) sources[from++] = r;
    tti_neighbours *made = tti_neighbours_make(&(tti_named_neighbours){sources, NULL, from},
                                               &(tti_named_neighbours){targets, NULL, to});
    free(sources);
    return made;
}

static inline tti_neighbours *edges_on_grid(int rank, int size, int kind)
{
    tti_grid grid = {.dims = kind};
    EXPECT(tti_grid_fill(size, grid.dims, grid.extents));
    for (int d = 0; d < grid.dims; d++)
        grid.periodic[d] = grid.extents[d] <= 2 || (size + d) % 2 == 0;
    return tti_neighbours_of_grid(&grid, rank);
}

/* Offsets of up to two places, of which some are there twice, and none at all. */
static inline tti_neighbours *edges_by_stencil(int rank, int size, size_t seed)
{
    int offsets[STENCIL_MOST * 3];
    uint64_t state = (uint64_t)size * 1000003 + seed * 7919;
    tti_grid grid = {.dims = 1 + random_below(&state, 3)};
    const int count = random_below(&state, STENCIL_MOST + 1);
    EXPECT(tti_grid_fill(size, grid.dims, grid.extents));
    for (int d = 0; d < grid.dims; d++)
        grid.periodic[d] = random_below(&state, 2) == 0;
    for (int i = 0; i < count * grid.dims; i++)
        offsets[i] = i >= grid.dims && random_below(&state, 4) == 0 ? offsets[i - grid.dims]
                                                                    : random_below(&state, 5) - 2;
    tti_stencil *stencil = tti_stencil_make(&grid, offsets, count);
    EXPECT(stencil != NULL);
    tti_neighbours *made = tti_neighbours_of_stencil(stencil, rank);
    free(stencil);
    return made;
}

static inline tti_neighbours *edges_of_kind(int rank, int size, size_t seed, int kind)
{
    if (kind >= 6) return edges_by_stencil(rank, size, seed);
    return kind == 0 || kind > 3 ? edges_drawn(rank, size, seed) : edges_on_grid(rank, size, kind);
}

/* What the rank is told of the others' lists; of a grid or stencil it knows that. */
static inline void edges_place(tti_neighbours *all, int rank, int most)
{
    tti_neighbours *mine = &all[rank];
    const bool known = mine->places != NULL;
    EXPECT(known ? mine->most == most : tti_neighbours_open_places(mine));
    mine->most = most;
    for (int i = 0; i < mine->sources.count; i++) {
        const int source = mine->sources.ranks[i];
        if (source < 0) continue;
        const tti_neighbour_list *to = &all[source].targets;
        const tti_edge_place place = {tti_neighbours_find(to, rank, mine->sources.numbers[i]), to->count};
        EXPECT(!known || (mine->places[i].index == place.index && mine->places[i].count == place.count));
        mine->places[i] = place;
    }
}

/* One after the other by rank, for edges_free(). */
static inline tti_neighbours *edges_make(int size, size_t seed)
{
    const int kind = (int)(((size_t)size + seed) % 9); /* 1 … 3: dimensions of a grid; from 6 on: a stencil */
    tti_neighbours *all = malloc((size_t)size * sizeof *all);
    EXPECT(all != NULL);
    int most = 0;
    for (int r = 0; r < size; r++) {
        tti_neighbours *one = edges_of_kind(r, size, seed, kind);
        EXPECT(one != NULL);
        all[r] = *one;
        free(one);
        if (all[r].targets.count > most) most = all[r].targets.count;
    }
    for (int r = 0; r < size; r++)
        edges_place(all, r, most);
    return all;
}

static inline void edges_free(const tti_neighbours *all, int size)
{
    for (int r = 0; all != NULL && r < size; r++) {
        free(all[r].sources.ranks);
        free(all[r].targets.ranks);
        free(all[r].places);
        free(all[r].stencil);
    }
    free((void *)(uintptr_t)all);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/comm/neighbourhood.h"

#include <stdlib.h>

typedef struct {
    int rank, place;
} entry;

static int by_rank(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Equal ranks from 0 on, in the order of the list. */
static bool number_edges(tti_neighbour_list *list)
{
    entry *entries = malloc(((size_t)list->count + 1) * sizeof *entries);
    if (entries == NULL) return false;
    for (int i = 0; i < list->count; i++)
        entries[i] = (entry){list->ranks[i], i};
    qsort(entries, (size_t)list->count, sizeof *entries, by_rank);
    for (int i = 0; i < list->count; i++) {
        const bool again = i > 0 && entries[i].rank == entries[i - 1].rank;
        list->numbers[entries[i].place] = again ? list->numbers[entries[i - 1].place] + 1 : 0;
    }
    free(entries);
    return true;
}

static bool open_list(tti_neighbour_list *list, int count)
{
    const size_t each = (size_t)count;
    list->count = count;
    list->ranks = malloc((3 * each + 1) * sizeof *list->ranks);
    if (list->ranks == NULL) return false;
    list->numbers = list->ranks + each;
    list->weights = list->numbers + each;
    return true;
}

static bool fill_list(tti_neighbour_list *list, const tti_named_neighbours *named)
{
    if (!open_list(list, named->count)) return false;
    for (int i = 0; i < named->count; i++) {
        list->ranks[i] = named->ranks[i];
        list->weights[i] = named->weights != NULL ? named->weights[i] : 1;
    }
    return number_edges(list);
}

tti_neighbours *tti_neighbours_make(const tti_named_neighbours *sources, const tti_named_neighbours *targets)
{
    tti_neighbours *made = calloc(1, sizeof *made);
    if (made != NULL && fill_list(&made->sources, sources) && fill_list(&made->targets, targets)) return made;
    tti_neighbours_free(made);
    return NULL;
}

tti_neighbours *tti_neighbours_of_grid(const tti_grid *grid, int rank)
{
    int ranks[2 * TUTTI_GRID_DIMS_MAX];
    const tti_named_neighbours beside = {ranks, NULL, 2 * grid->dims};
    for (int i = 0; i < beside.count; i++)
        ranks[i] = tti_grid_beside(grid, rank, i / 2, i % 2 == 0 ? -1 : 1);
    tti_neighbours *made = tti_neighbours_make(&beside, &beside);
    if (made == NULL || !tti_neighbours_open_places(made)) {
        tti_neighbours_free(made);
        return NULL;
    }
    made->most = beside.count;
    for (int i = 0; i < beside.count; i++) {
        made->targets.numbers[i] = i;
        made->sources.numbers[i] = i ^ 1;
        made->places[i] = (tti_edge_place){i ^ 1, beside.count};
    }
    return made;
}

/* Who is at the place of `rank` moved `times` (1 or -1) by an offset. */
static int reach(const tti_stencil *stencil, int rank, int offset, int times)
{
    int coords[TUTTI_GRID_DIMS_MAX];
    tti_grid_coords_of(&stencil->grid, rank, coords);
    return tti_grid_rank_from(&stencil->grid, coords, stencil->offsets + offset * stencil->grid.dims, times);
}

static void fill_stencil(tti_neighbours *made, const tti_stencil *stencil, int rank)
{
    made->most = stencil->count;
    for (int i = 0; i < stencil->count; i++) {
        made->targets.ranks[i] = reach(stencil, rank, i, 1);
        made->sources.ranks[i] = reach(stencil, rank, i, -1);
        made->targets.numbers[i] = made->sources.numbers[i] = i;
        made->targets.weights[i] = made->sources.weights[i] = 1;
        made->places[i] = (tti_edge_place){i, stencil->count};
    }
}

tti_neighbours *tti_neighbours_of_stencil(const tti_stencil *stencil, int rank)
{
    tti_neighbours *made = calloc(1, sizeof *made);
    if (made != NULL && open_list(&made->sources, stencil->count) &&
        open_list(&made->targets, stencil->count) && tti_neighbours_open_places(made))
        made->stencil = tti_stencil_make(&stencil->grid, stencil->offsets, stencil->count);
    if (made == NULL || made->stencil == NULL) {
        tti_neighbours_free(made);
        return NULL;
    }
    fill_stencil(made, stencil, rank);
    return made;
}

bool tti_neighbours_open_places(tti_neighbours *neighbours)
{
    neighbours->places = malloc(((size_t)neighbours->sources.count + 1) * sizeof *neighbours->places);
    return neighbours->places != NULL;
}

static bool copy_places(tti_neighbours *made, const tti_neighbours *from)
{
    made->most = from->most;
    if (from->places == NULL) return true;
    if (!tti_neighbours_open_places(made)) return false;
    for (int i = 0; i < from->sources.count; i++)
        made->places[i] = from->places[i];
    return true;
}

static bool copy_stencil(tti_neighbours *made, const tti_stencil *from)
{
    if (from == NULL) return true;
    made->stencil = tti_stencil_make(&from->grid, from->offsets, from->count);
    return made->stencil != NULL;
}

static bool copy_list(tti_neighbour_list *list, const tti_neighbour_list *from)
{
    if (!open_list(list, from->count)) return false;
    for (int i = 0; i < 3 * from->count; i++) /* all three arrays */
        list->ranks[i] = from->ranks[i];
    return true;
}

tti_neighbours *tti_neighbours_copy(const tti_neighbours *neighbours)
{
    tti_neighbours *made = calloc(1, sizeof *made);
    if (made != NULL && copy_list(&made->sources, &neighbours->sources) &&
        copy_list(&made->targets, &neighbours->targets) && copy_places(made, neighbours) &&
        copy_stencil(made, neighbours->stencil))
        return made;
    tti_neighbours_free(made);
    return NULL;
}

void tti_neighbours_free(tti_neighbours *neighbours)
{
    if (neighbours == NULL) return;
    free(neighbours->sources.ranks);
    free(neighbours->targets.ranks);
    free(neighbours->places);
    free(neighbours->stencil);
    free(neighbours);
}

int tti_neighbours_find(const tti_neighbour_list *list, int rank, int number)
{
    for (int i = 0; i < list->count; i++)
        if (list->ranks[i] == rank && list->numbers[i] == number) return i;
    return -1;
}

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

static void fill_by_offsets(tti_neighbours *made, int rank)
{
    const tti_stencil *stencil = made->stencil;
    made->most = stencil->count;
    for (int i = 0; i < stencil->count; i++) {
        const int source = tti_neighbours_source(made, i);
        made->targets.ranks[i] = tti_stencil_reach(stencil, rank, i, 1);
        made->sources.ranks[source] = tti_stencil_reach(stencil, rank, i, -1);
        made->targets.numbers[i] = made->sources.numbers[source] = i;
        made->targets.weights[i] = made->sources.weights[source] = 1;
        made->places[source] = (tti_edge_place){i, stencil->count};
    }
}

/* Takes the stencil, which may be NULL. */
static tti_neighbours *make_by_offsets(tti_stencil *stencil, int rank, bool turned)
{
    tti_neighbours *made = calloc(1, sizeof *made);
    if (stencil == NULL || made == NULL) {
        free(stencil);
        free(made);
        return NULL;
    }
    made->stencil = stencil;
    made->turned = turned;
    if (!open_list(&made->sources, stencil->count) || !open_list(&made->targets, stencil->count) ||
        !tti_neighbours_open_places(made)) {
        tti_neighbours_free(made);
        return NULL;
    }
    fill_by_offsets(made, rank);
    return made;
}

tti_neighbours *tti_neighbours_of_grid(const tti_grid *grid, int rank)
{
    int offsets[2 * TUTTI_GRID_DIMS_MAX * TUTTI_GRID_DIMS_MAX] = {0};
    for (int i = 0; i < 2 * grid->dims; i++)
        offsets[i * grid->dims + i / 2] = i % 2 == 0 ? -1 : 1;
    return make_by_offsets(tti_stencil_make(grid, offsets, 2 * grid->dims), rank, true);
}

tti_neighbours *tti_neighbours_of_stencil(const tti_stencil *stencil, int rank)
{
    return make_by_offsets(tti_stencil_make(&stencil->grid, stencil->offsets, stencil->count), rank, false);
}

bool tti_neighbours_open_places(tti_neighbours *neighbours)
{
    neighbours->places = malloc(((size_t)neighbours->sources.count + 1) * sizeof *neighbours->places);
    return neighbours->places != NULL;
}

static bool copy_places(tti_neighbours *made, const tti_neighbours *from)
{
    made->most = from->most;
    made->turned = from->turned;
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

int tti_neighbours_find_from(const tti_neighbour_list *list, int begin, int rank, int number)
{
    for (int i = begin; i < begin + list->count; i++) {
        const int at = i < list->count ? i : i - list->count;
        if (list->ranks[at] == rank && list->numbers[at] == number) return at;
    }
    return -1;
}

int tti_neighbours_find(const tti_neighbour_list *list, int rank, int number)
{
    return tti_neighbours_find_from(list, 0, rank, number);
}

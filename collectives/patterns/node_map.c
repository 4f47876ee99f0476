/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/patterns/node_map.h"

#include <stdlib.h>

typedef struct {
    int label, rank;
} entry;

static int compare(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Numbers the nodes by their first ranks: entries are sorted, so the first of a label is its first rank. */
static void number_nodes(tti_node_map *map, const entry *sorted, int *first_of, int size)
{
    int first = 0;
    for (int i = 0; i < size; i++) {
        if (sorted[i].label != sorted[first].label) first = i;
        first_of[sorted[i].rank] = sorted[first].rank;
    }
    map->nodes = 0;
    for (int r = 0; r < size; r++)
        map->node_of[r] = first_of[r] == r ? map->nodes++ : map->node_of[first_of[r]];
}

static void list_members(tti_node_map *map, int size)
{
    for (int r = 0; r < size; r++)
        map->start[map->node_of[r] + 1]++;
    for (int n = 0; n < map->nodes; n++)
        map->start[n + 1] += map->start[n];
    /* start[n] serves as the next free place of node n, then is set back. */
    for (int r = 0; r < size; r++)
        map->members[map->start[map->node_of[r]]++] = r;
    for (int n = map->nodes; n > 0; n--)
        map->start[n] = map->start[n - 1];
    map->start[0] = 0;
    for (int i = 0; i < size; i++)
        map->place_of[map->members[i]] = i - map->start[map->node_of[map->members[i]]];
}

tti_node_map *tti_node_map_make(const int *labels, int size)
{
    const size_t n = (size_t)size;
    tti_node_map *map = calloc(1, sizeof *map);
    entry *sorted = malloc(n * sizeof *sorted);
    int *first_of = malloc(n * sizeof *first_of);
    if (map != NULL) {
        map->node_of = malloc(n * sizeof *map->node_of);
        map->place_of = malloc(n * sizeof *map->place_of);
        map->start = calloc(n + 1, sizeof *map->start);
        map->members = malloc(n * sizeof *map->members);
    }
    if (map == NULL || sorted == NULL || first_of == NULL || map->node_of == NULL || map->place_of == NULL ||
        map->start == NULL || map->members == NULL) {
        tti_node_map_free(map);
        map = NULL;
    } else {
        for (int r = 0; r < size; r++)
            sorted[r] = (entry){labels[r], r};
        qsort(sorted, n, sizeof *sorted, compare);
        number_nodes(map, sorted, first_of, size);
        list_members(map, size);
    }
    free(sorted);
    free(first_of);
    return map;
}

void tti_node_map_free(tti_node_map *map)
{
    if (map == NULL) return;
    free(map->node_of);
    free(map->place_of);
    free(map->start);
    free(map->members);
    free(map);
}

int tti_node_map_most(const tti_node_map *map)
{
    int most = 0;
    for (int n = 0; n < map->nodes; n++)
        if (tti_node_ranks(map, n) > most) most = tti_node_ranks(map, n);
    return most;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The neighbours of a rank, which a communicator made for a graph, a grid or a stencil carries. Each rank
 * knows its own alone. */
#ifndef TTI_COMM_NEIGHBOURHOOD_H
#define TTI_COMM_NEIGHBOURHOOD_H

#include <stdbool.h>

#include "runtime/comm/stencil.h"

/* Edges from one rank to another have numbers, below this; both ends give an edge the same. */
#define TTI_EDGES_OF_A_PAIR 65536

typedef struct {
    int count;
    int *ranks;   /* in the communicator; TUTTI_PROC_NULL: nobody */
    int *numbers; /* of the edges */
    int *weights;
} tti_neighbour_list;

/* Where an edge stands among those that lead from its rank, and how many these are. */
typedef struct {
    int index, count;
} tti_edge_place;

typedef struct {
    tti_neighbour_list sources, targets;
    tti_edge_place *places; /* [sources.count] of each edge, at the rank it comes from; NULL: not known yet */
    int most;               /* edges that lead from one rank, of all ranks; 0: not known yet */
    tti_stencil *stencil; /* by whose offsets each rank has its targets, of a grid or a stencil: target i, and
                             edge i, at offset i. Else NULL; owned */
    bool turned;          /* of a grid: the sources of each dimension are in turned order */
} tti_neighbours;

/* As a caller gives a list; weights may be NULL. */
typedef struct {
    const int *ranks, *weights;
    int count;
} tti_named_neighbours;

/* Equal ranks of a list are numbered in its order. What other ranks' lists are like is not known. NULL if
 * memory is out. */
tti_neighbours *tti_neighbours_make(const tti_named_neighbours *sources, const tti_named_neighbours *targets);
/* Those of a rank of a grid: for each dimension down, then up. What goes up along a dimension is an edge of
 * another number than what goes down, so that it comes from below also where both are one rank. */
tti_neighbours *tti_neighbours_of_grid(const tti_grid *grid, int rank);
/* Those of a rank of a stencil: target i is at offset i, and source i where its offset leads here; both are
 * edge i. */
tti_neighbours *tti_neighbours_of_stencil(const tti_stencil *stencil, int rank);
tti_neighbours *tti_neighbours_copy(const tti_neighbours *neighbours);
/* Makes room for the places of edges, which whoever asks fills in; false if memory is out. */
bool tti_neighbours_open_places(tti_neighbours *neighbours);
void tti_neighbours_free(tti_neighbours *neighbours);

/* Which of its sources a rank has along an edge by an offset. */
static inline int tti_neighbours_source(const tti_neighbours *neighbours, int edge)
{
    return neighbours->turned ? edge ^ 1 : edge;
}

/* The neighbour that the edge joins with, from its other list: where `list` has `number` of `rank`, or -1. */
int tti_neighbours_find(const tti_neighbour_list *list, int rank, int number);
/* The same; it is looked for from place `begin` on, up to the list's length, and then before that. */
int tti_neighbours_find_from(const tti_neighbour_list *list, int begin, int rank, int number);

#endif

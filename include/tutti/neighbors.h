/* SPDX-License-Identifier: BSD-3-Clause */
/** @file neighbors.h
 * @brief Communicators that carry each rank's neighbours: graphs, grids and stencils.
 *
 * A rank has *sources*, from which data comes to it, and *targets*, to which its data goes. The
 * tutti_neighbor_… functions of collectives.h exchange data along these edges, and their buffers have parts
 * in the order of these lists. tutti_comm_dup() keeps them, other ways to make a communicator do not.
 *
 * Making one is collective as in comm.h, with its errors: every rank of the communicator calls, in the same
 * order as its other collectives. All other functions are local; threads: any, at any time. Errors common to
 * these: TUTTI_ERR_ARG (`comm` is NULL or carries no such thing, an output is NULL). */
#ifndef TUTTI_NEIGHBORS_H
#define TUTTI_NEIGHBORS_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** Dimensions that a grid can have. */
#define TUTTI_GRID_DIMS_MAX 16
/** Offsets that a stencil can have. */
#define TUTTI_STENCIL_MAX 4096

/** A communicator of the same ranks in the same order, in which the caller has these neighbours. What one
 * rank names as a target has to name it as a source, and as often: an edge may be there several times (data
 * along the first comes by the first, in the order of both lists) and may lead to the rank itself. A rank
 * may have no neighbours. Arrays are read before the call returns.
 * @param sources         [source_count] ranks of `comm`; NULL if there are none.
 * @param source_weights  [source_count] 0 or more, what the caller likes to know of each; NULL: all 1. They
 *                        are kept for tutti_comm_sources() and need not be the same at both ends.
 * @param targets         as sources; source_weights, target_weights likewise.
 * @param[out] graph      the new one; the caller frees it with tutti_comm_free().
 * @return TUTTI_ERR_ARG also, at all ranks, where two ranks differ in how many edges lead from one to the
 *         other, or a rank's arguments are wrong; the detail names them where the caller is one of these.
 *         TUTTI_ERR_RANK: a neighbour is not in 0 … size − 1. TUTTI_ERR_LIMIT: more than 65,536 edges from
 *         one rank to another. */
TUTTI_API TUTTI_CHECKED int tutti_comm_graph(tutti_comm *comm, const int *sources, const int *source_weights,
                                             int source_count, const int *targets, const int *target_weights,
                                             int target_count, tutti_comm **graph);

/** The caller's sources, in their order. Of a grid: for each dimension the rank at −1, then that at +1;
 * TUTTI_PROC_NULL where nobody is. Of a stencil: for each offset.
 * @param[out] ranks    the first `most` of them; may be NULL.
 * @param[out] weights  theirs; may be NULL. Of a grid or a stencil all are 1.
 * @return how many there are, or TUTTI_ERR_ARG (also: `most` is negative). */
TUTTI_API int tutti_comm_sources(const tutti_comm *comm, int *ranks, int *weights, int most);

/** The caller's targets: as tutti_comm_sources(). Of a grid they are the same ranks. */
TUTTI_API int tutti_comm_targets(const tutti_comm *comm, int *ranks, int *weights, int most);

/** Divides `ranks` ranks into a grid: sets those of the `dims` extents that are 0, so that all ranks are used
 * and the sum of what is set is the least (of a cube, the surface of each part), the larger ones first.
 * @return TUTTI_ERR_ARG: ranks < 1, dims not in 1 … TUTTI_GRID_DIMS_MAX, a negative extent, or what is given
 *         does not divide `ranks` (where nothing is 0: is not its product). */
TUTTI_API TUTTI_CHECKED int tutti_grid_balance(int ranks, int dims, int *extents);

/** Puts ranks of `comm` on a grid. Ranks of the new communicator count its places, the last dimension
 * fastest; the neighbours of each are those one step away in each dimension. Along a periodic dimension of
 * two there are two edges to the same rank, of one, to the rank itself; what goes down arrives from above.
 * @param extents   [dims] > 0, or 0: as tutti_grid_balance() chooses. The same at every rank, as are dims,
 *                  periodic and reorder. The product is at most the number of ranks; ranks beyond it get
 *                  NULL.
 * @param periodic  [dims] nonzero where the last place is next to the first; NULL: nowhere.
 * @param reorder   nonzero: ranks of one node get a block of the grid with as small a surface as can be,
 *                  where all nodes have as many ranks and such blocks fill the grid, else places in a row;
 *                  0: the order of `comm`.
 * @param[out] grid the new one; the caller frees it with tutti_comm_free(). Its rank may be another than in
 *                  `comm` where `reorder` was given.
 * @return TUTTI_ERR_ARG also: dims not in 1 … TUTTI_GRID_DIMS_MAX, extents that are no grid of so few ranks,
 *         ranks that give different grids. */
TUTTI_API TUTTI_CHECKED int tutti_comm_grid(tutti_comm *comm, int dims, const int *extents,
                                            const int *periodic, int reorder, tutti_comm **grid);

/** The ranks of a grid once more, each with neighbours at given offsets from its place: a 9-point or 27-point
 * stencil, or any other. Target number i of a rank is at its place plus offset i, source i where that offset
 * leads to the caller; TUTTI_PROC_NULL beyond an edge. So part i that a rank sends is part i of what its
 * target gets. Small parts of neighbor_alltoall and neighbor_allgather go dimension by dimension then over
 * nodes of one rank each, many to a message: 6 messages in place of 26. Where nodes have several ranks, what
 * goes from one node to another is one message. Collective.
 * @param grid      from tutti_comm_grid(), or from here.
 * @param offsets   [count][dims of the grid], the same at every rank. An offset may be 0 everywhere (a part
 *                  for the rank itself), be there twice, and be longer than the grid. NULL if count is 0.
 * @param[out] stencil  the new one, on the same grid; the caller frees it with tutti_comm_free().
 * @return TUTTI_ERR_ARG also: `grid` is not on one, count is negative, ranks that give different offsets.
 *         TUTTI_ERR_LIMIT: more than TUTTI_STENCIL_MAX offsets. */
TUTTI_API TUTTI_CHECKED int tutti_comm_stencil(tutti_comm *grid, const int *offsets, int count,
                                               tutti_comm **stencil);

/** What the grid was made with.
 * @param[out] extents   [dims] places in each dimension; may be NULL.
 * @param[out] periodic  [dims] 1 or 0; may be NULL.
 * @return the number of dimensions, or TUTTI_ERR_ARG. */
TUTTI_API int tutti_grid_extents(const tutti_comm *grid, int *extents, int *periodic);

/** Where a rank is.
 * @param[out] coords  [dims] from 0 on.
 * @return TUTTI_ERR_RANK: `rank` is not in 0 … size − 1. */
TUTTI_API TUTTI_CHECKED int tutti_grid_coords(const tutti_comm *grid, int rank, int *coords);

/** Who is at a place. Along periodic dimensions coordinates beyond the edges come round.
 * @param coords     [dims].
 * @param[out] rank  TUTTI_PROC_NULL beyond an edge. */
TUTTI_API TUTTI_CHECKED int tutti_grid_rank(const tutti_comm *grid, const int *coords, int *rank);

/** Whom the caller meets where all ranks pass something `by` places along dimension `dim`. Either may be
 * TUTTI_PROC_NULL: sends to it and receives from it do nothing.
 * @param[out] source  who is `by` places before the caller.
 * @param[out] target  who is `by` places behind it. */
TUTTI_API TUTTI_CHECKED int tutti_grid_shift(const tutti_comm *grid, int dim, int by, int *source,
                                             int *target);

/** Divides a grid into grids of fewer dimensions: each rank gets the one of the ranks that have its
 * coordinates in all other dimensions. Collective.
 * @param keep        [dims] nonzero for the dimensions of the parts, the same at every rank. Where none is
 *                    kept, each rank gets a communicator of its own, of one dimension of one place.
 * @param[out] part   the caller's; the caller frees it with tutti_comm_free(). */
TUTTI_API TUTTI_CHECKED int tutti_grid_part(tutti_comm *grid, const int *keep, tutti_comm **part);

TUTTI_END_DECLS

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls that look at the neighbours and the grid of a communicator. These do not change. */
#include "runtime/base/status.h"
#include "runtime/comm/comm.h"

static int wrong_kind(const char *name, const tutti_comm *comm, const char *kind)
{
    if (comm == NULL) return tti_fail(TUTTI_ERR_ARG, "%s: comm is NULL", name);
    return tti_fail(TUTTI_ERR_ARG, "%s: the communicator was not made as a %s", name, kind);
}

static int check_room(const char *name, const tutti_comm *comm, int most)
{
    if (comm == NULL || comm->neighbours == NULL) return wrong_kind(name, comm, "graph or a grid");
    return most >= 0 ? 0 : tti_fail(TUTTI_ERR_ARG, "%s: room for %d neighbours", name, most);
}

static int tell(const tti_neighbour_list *list, int *ranks, int *weights, int most)
{
    for (int i = 0; i < list->count && i < most; i++) {
        if (ranks != NULL) ranks[i] = list->ranks[i];
        if (weights != NULL) weights[i] = list->weights[i];
    }
    return list->count;
}

int tutti_comm_sources(const tutti_comm *comm, int *ranks, int *weights, int most)
{
    const int code = check_room("tutti_comm_sources", comm, most);
    return code < 0 ? tti_answer(code) : tell(&comm->neighbours->sources, ranks, weights, most);
}

int tutti_comm_targets(const tutti_comm *comm, int *ranks, int *weights, int most)
{
    const int code = check_room("tutti_comm_targets", comm, most);
    return code < 0 ? tti_answer(code) : tell(&comm->neighbours->targets, ranks, weights, most);
}

static int check_grid(const char *name, const tutti_comm *comm, const void *output)
{
    if (comm == NULL || comm->grid == NULL) return wrong_kind(name, comm, "grid");
    return output != NULL ? 0 : tti_fail(TUTTI_ERR_ARG, "%s: an argument is NULL", name);
}

int tutti_grid_extents(const tutti_comm *grid, int *extents, int *periodic)
{
    const int code = check_grid("tutti_grid_extents", grid, grid);
    if (code < 0) return tti_answer(code);
    for (int d = 0; d < grid->grid->dims; d++) {
        if (extents != NULL) extents[d] = grid->grid->extents[d];
        if (periodic != NULL) periodic[d] = grid->grid->periodic[d];
    }
    return grid->grid->dims;
}

int tutti_grid_coords(const tutti_comm *grid, int rank, int *coords)
{
    int code = check_grid("tutti_grid_coords", grid, coords);
    if (code == 0 && (rank < 0 || rank >= grid->size))
        code = tti_fail(TUTTI_ERR_RANK, "tutti_grid_coords: rank %d is not in 0 … %d", rank, grid->size - 1);
    if (code == 0) tti_grid_coords_of(grid->grid, rank, coords);
    return tti_answer(code);
}

int tutti_grid_rank(const tutti_comm *grid, const int *coords, int *rank)
{
    const int code = check_grid("tutti_grid_rank", grid, coords != NULL ? rank : NULL);
    if (code == 0) *rank = tti_grid_rank_at(grid->grid, coords);
    return tti_answer(code);
}

int tutti_grid_shift(const tutti_comm *grid, int dim, int by, int *source, int *target)
{
    int code = check_grid("tutti_grid_shift", grid, source != NULL ? target : NULL);
    if (code == 0 && (dim < 0 || dim >= grid->grid->dims))
        code = tti_fail(TUTTI_ERR_ARG, "tutti_grid_shift: dimension %d is not in 0 … %d", dim,
                        grid->grid->dims - 1);
    if (code < 0) return tti_answer(code);
    *source = tti_grid_beside(grid->grid, grid->rank, dim, -(int64_t)by);
    *target = tti_grid_beside(grid->grid, grid->rank, dim, by);
    return 0;
}

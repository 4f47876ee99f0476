/* SPDX-License-Identifier: BSD-3-Clause */
/* Making communicators whose ranks are on a grid. */
#include <stdlib.h>

#include "collectives/calls/comm_create.h"
#include "collectives/calls/comm_group.h"
#include "collectives/execute/comm_cache.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"

static int check_extents(const char *name, int dims, const int *extents)
{
    if (dims < 1 || dims > TUTTI_GRID_DIMS_MAX || extents == NULL)
        return tti_fail(TUTTI_ERR_ARG, "%s: %d dimensions%s; a grid has 1 to %d", name, dims,
                        extents == NULL ? " without extents" : "", TUTTI_GRID_DIMS_MAX);
    for (int d = 0; d < dims; d++)
        if (extents[d] < 0)
            return tti_fail(TUTTI_ERR_ARG, "%s: the extent of dimension %d is %d", name, d, extents[d]);
    return 0;
}

/* Sets what is to be chosen; what all extents say is in `extents` then. */
static int fill(const char *name, int ranks, int dims, int *extents)
{
    if (tti_grid_fill(ranks, dims, extents)) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: %d ranks do not fill a grid of the extents that are given", name,
                    ranks);
}

int tutti_grid_balance(int ranks, int dims, int *extents)
{
    int code = check_extents("tutti_grid_balance", dims, extents);
    if (code == 0 && ranks < 1)
        code = tti_fail(TUTTI_ERR_ARG, "tutti_grid_balance: a grid of %d ranks", ranks);
    return tti_answer(code < 0 ? code : fill("tutti_grid_balance", ranks, dims, extents));
}

/* Where all is given, ranks may be left over. */
static int check_places(const char *name, const tutti_comm *comm, const tti_grid *grid)
{
    int64_t places = 1;
    for (int d = 0; d < grid->dims && places <= comm->size; d++)
        places *= grid->extents[d];
    if (places <= comm->size) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: the grid has more places than the communicator ranks, %d", name,
                    comm->size);
}

static int describe(const char *name, const tutti_comm *comm, const int *extents, const int *periodic,
                    tti_grid *grid)
{
    bool open = false;
    const int code = check_extents(name, grid->dims, extents);
    if (code < 0) return code;
    for (int d = 0; d < grid->dims; d++) {
        open = open || extents[d] == 0;
        grid->extents[d] = extents[d];
        grid->periodic[d] = periodic != NULL && periodic[d] != 0;
    }
    return open ? fill(name, comm->size, grid->dims, grid->extents) : check_places(name, comm, grid);
}

/* NULL, and why is said, where the order cannot be found: the caller has no part in the grid then, as the
 * others, who know their nodes, have another order than it would. */
static int *order_by_nodes(const tutti_comm *comm, const tti_grid *grid, int count)
{
    int *labels = tti_group_list("tutti_comm_grid", count), *order = NULL;
    if (labels != NULL && tti_comm_nodes(comm, labels, count)) {
        order = tti_grid_by_nodes(grid, labels);
        if (order == NULL)
            tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_comm_grid: no memory to look at %d ranks", count);
    }
    free(labels);
    return order;
}

/* Who is at each place; owned by the caller. */
static int *order_ranks(const tutti_comm *comm, const tti_grid *grid, bool by_nodes)
{
    const int count = tti_grid_places(grid);
    if (by_nodes) return order_by_nodes(comm, grid, count);
    int *order = tti_group_list("tutti_comm_grid", count);
    for (int r = 0; order != NULL && r < count; r++)
        order[r] = r;
    return order;
}

int tutti_comm_grid(tutti_comm *comm, int dims, const int *extents, const int *periodic, int reorder,
                    tutti_comm **made)
{
    const char *name = "tutti_comm_grid";
    tti_grid grid = {.dims = dims};
    tti_creation asked = {.grid = &grid, .of_all = true};
    int code = tti_group_begin(name, comm, made), *order = NULL;
    if (code < 0) return tti_answer(code);
    asked.wrong = describe(name, comm, extents, periodic, &grid);
    if (asked.wrong < 0) {
        asked.grid = NULL;
    } else if ((order = order_ranks(comm, &grid, reorder != 0)) == NULL) {
        asked.wrong = TUTTI_ERR_NO_MEMORY;
    } else {
        asked.members = order;
        asked.count = tti_grid_places(&grid);
    }
    tti_lock();
    code = tti_comm_create(name, comm, &asked, made);
    tti_unlock();
    free(order);
    return tti_answer(code);
}

/* All ranks that differ from the caller in kept coordinates alone, in the order of the part. */
static void list_part(const tutti_comm *grid, const int *keep, const tti_grid *kept, int *members)
{
    int at[TUTTI_GRID_DIMS_MAX], inner[TUTTI_GRID_DIMS_MAX];
    tti_grid_coords_of(grid->grid, grid->rank, at);
    for (int i = 0; i < tti_grid_places(kept); i++) {
        tti_grid_coords_of(kept, i, inner);
        for (int d = 0, k = 0; d < grid->grid->dims; d++)
            if (keep[d]) at[d] = inner[k++];
        members[i] = tti_grid_rank_at(grid->grid, at);
    }
}

int tutti_grid_part(tutti_comm *grid, const int *keep, tutti_comm **part)
{
    const char *name = "tutti_grid_part";
    tti_grid kept = {.dims = 0};
    tti_creation asked = {.grid = NULL};
    int code = tti_group_begin(name, grid, part), *members = NULL;
    if (code == 0 && grid->grid == NULL) code = tti_fail(TUTTI_ERR_ARG, "%s: comm is not on a grid", name);
    if (code < 0) return tti_answer(code);
    if (keep == NULL) {
        asked.wrong = tti_fail(TUTTI_ERR_ARG, "%s: keep is NULL", name);
    } else {
        kept = tti_grid_keep(grid->grid, keep);
        asked = (tti_creation){.count = tti_grid_places(&kept), .grid = &kept};
        asked.members = members = tti_group_list(name, asked.count);
        if (members == NULL) asked.wrong = TUTTI_ERR_NO_MEMORY;
    }
    if (members != NULL) list_part(grid, keep, &kept, members);
    tti_lock();
    code = tti_comm_create(name, grid, &asked, part);
    tti_unlock();
    free(members);
    return tti_answer(code);
}

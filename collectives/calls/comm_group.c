/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/comm_group.h"

#include <stdlib.h>

#include "collectives/calls/acquaint.h"
#include "collectives/calls/call.h"
#include "collectives/calls/context_agree.h"
#include "collectives/execute/windows.h"
#include "runtime/base/status.h"
#include "runtime/p2p/compare.h"
#include "runtime/progress/lock.h"

int tti_group_begin(const char *name, tutti_comm *comm, tutti_comm **made)
{
    int code = tti_check_open(name);
    if (code < 0) return code;
    if (comm == NULL || made == NULL)
        return tti_fail(TUTTI_ERR_ARG, "%s: %s is NULL", name, comm == NULL ? "comm" : "the output");
    tti_lock();
    code = tti_compare(comm, name);
    tti_unlock();
    return code;
}

int *tti_group_list(const char *name, int count)
{
    int *list = malloc(((size_t)count + 1) * sizeof *list);
    if (list == NULL) tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a list of %d ranks", name, count);
    return list;
}

int tti_group_of_all(const char *name, const tutti_comm *comm, tti_group *group)
{
    group->members = tti_group_list(name, comm->size);
    group->size = comm->size;
    group->rank = comm->rank;
    for (int r = 0; group->members != NULL && r < comm->size; r++)
        group->members[r] = tti_comm_job_rank(comm, r);
    return group->members != NULL ? 0 : TUTTI_ERR_NO_MEMORY;
}

int tti_group_on_grid(const char *name, const tti_grid *grid, const tti_stencil *stencil, tti_group *group)
{
    group->neighbours = stencil != NULL ? tti_neighbours_of_stencil(stencil, group->rank)
                                        : tti_neighbours_of_grid(grid, group->rank);
    group->grid = malloc(sizeof *group->grid);
    if (group->neighbours == NULL || group->grid == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a grid of %d dimensions", name, grid->dims);
    *group->grid = *grid;
    return 0;
}

void *tti_group_tell_all(const char *name, tutti_comm *comm, const void *mine, size_t bytes, int *code)
{
    tti_call call;
    void *all = malloc((size_t)comm->size * bytes);
    if (all == NULL) {
        *code = tti_run_drop_out(comm, tti_fail(TUTTI_ERR_NO_MEMORY,
                                                "%s: no memory for %zu bytes of each of %d ranks", name,
                                                bytes, comm->size));
        return NULL;
    }
    *code = tti_call_make(&call, name, TTI_ALLGATHER,
                          &(tti_arguments){.comm = comm, .send = mine, .recv = all, .count = bytes});
    *code = tti_call_block_part(*code, &call);
    if (*code == 0) return all;
    free(all);
    return NULL;
}

/* The communicator owns what it carries. */
static int open_part(tti_group *group, tutti_comm **part)
{
    const int code = tti_comm_make(group->members, group->size, group->rank, part);
    if (code < 0) return code;
    (*part)->neighbours = group->neighbours;
    (*part)->grid = group->grid;
    group->neighbours = NULL;
    group->grid = NULL;
    return 0;
}

int tti_group_make(const char *name, tutti_comm *comm, tti_group *group, int wrong, tutti_comm **made)
{
    tutti_comm *part = NULL;
    if (wrong == 0 && group->size > 0) wrong = open_part(group, &part);
    comm->parts++;
    if (wrong == 0 && part != NULL) wrong = tti_windows_prepare(part, comm->context, comm->parts, NULL, NULL);
    free(group->members);
    tti_neighbours_free(group->neighbours);
    free(group->grid);
    int code = tti_context_agree(comm, name, wrong != TUTTI_ERR_NO_MEMORY, part);
    if (wrong < 0) code = wrong;
    if (code == 0 && part != NULL) code = tti_acquaint_part(comm, name, part);
    if (code == 0)
        *made = part;
    else if (part != NULL)
        tti_comm_release(part);
    return code;
}

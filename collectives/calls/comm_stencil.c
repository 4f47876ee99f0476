/* SPDX-License-Identifier: BSD-3-Clause */
/* Making communicators whose ranks have neighbours by offsets on a grid. */
#include <stdlib.h>

#include "collectives/calls/comm_create.h"
#include "collectives/calls/comm_group.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"

static const char name[] = "tutti_comm_stencil";

static int check(const int *offsets, int count)
{
    if (count < 0 || (count > 0 && offsets == NULL))
        return tti_fail(TUTTI_ERR_ARG, "%s: a list of %d offsets%s", name, count,
                        offsets == NULL ? " that is NULL" : "");
    if (count > TUTTI_STENCIL_MAX)
        return tti_fail(TUTTI_ERR_LIMIT, "%s: %d offsets; a stencil has %d at most", name, count,
                        TUTTI_STENCIL_MAX);
    return 0;
}

/* What there is no memory for, is the caller's alone: the others hear of it. */
static int describe(const tutti_comm *grid, const int *offsets, int count, tti_stencil **stencil,
                    int **members)
{
    const int code = check(offsets, count);
    if (code < 0) return code;
    *stencil = tti_stencil_make(grid->grid, offsets, count);
    *members = tti_group_list(name, grid->size);
    if (*stencil == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for %d offsets", name, count);
    if (*members == NULL) return TUTTI_ERR_NO_MEMORY;
    for (int r = 0; r < grid->size; r++)
        (*members)[r] = r;
    return 0;
}

int tutti_comm_stencil(tutti_comm *grid, const int *offsets, int count, tutti_comm **made)
{
    tti_stencil *stencil = NULL;
    tti_creation asked = {.members = NULL};
    int *members = NULL, code = tti_group_begin(name, grid, made);
    if (code == 0 && grid->grid == NULL) code = tti_fail(TUTTI_ERR_ARG, "%s: comm is not on a grid", name);
    if (code < 0) return tti_answer(code);
    asked.wrong = describe(grid, offsets, count, &stencil, &members);
    if (asked.wrong == 0)
        asked =
            (tti_creation){.members = members, .count = grid->size, .grid = grid->grid, .stencil = stencil};
    tti_lock();
    code = tti_comm_create(name, grid, &asked, made);
    tti_unlock();
    free(stencil);
    free(members);
    return tti_answer(code);
}

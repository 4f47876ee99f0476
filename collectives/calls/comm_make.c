/* SPDX-License-Identifier: BSD-3-Clause */
/* Making communicators out of others: copies, and parts by colors. */
#include <stdlib.h>

#include "collectives/calls/comm_group.h"
#include "pmi/pmi.h"
#include "runtime/base/status.h"
#include "runtime/comm/comm.h"
#include "runtime/progress/lock.h"
#include "tutti/collectives.h"

/* The same neighbours and grid, or none. */
static int copy_neighbours(const tutti_comm *comm, tti_group *g)
{
    if (comm->neighbours != NULL) g->neighbours = tti_neighbours_copy(comm->neighbours);
    if (comm->grid != NULL) g->grid = malloc(sizeof *g->grid);
    if (g->grid != NULL) *g->grid = *comm->grid;
    if ((comm->neighbours == NULL || g->neighbours != NULL) && (comm->grid == NULL || g->grid != NULL))
        return 0;
    return tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_comm_dup: no memory for the neighbours");
}

int tutti_comm_dup(tutti_comm *comm, tutti_comm **dup)
{
    tti_group g = {0};
    int code = tti_group_begin("tutti_comm_dup", comm, dup);
    if (code < 0) return tti_answer(code);
    int wrong = tti_group_of_all("tutti_comm_dup", comm, &g);
    if (wrong == 0) wrong = copy_neighbours(comm, &g);
    tti_lock();
    code = tti_group_make("tutti_comm_dup", comm, &g, wrong, dup);
    tti_unlock();
    return tti_answer(code);
}

typedef struct {
    int color, key, rank;
} entry;

static int compare(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Puts those of one color first, ordered; returns their number. */
static int pick(entry *entries, int size, int color)
{
    int count = 0;
    for (int r = 0; r < size; r++)
        if (entries[r].color == color) entries[count++] = entries[r];
    qsort(entries, (size_t)count, sizeof *entries, compare);
    return count;
}

static int fill_group(const tutti_comm *comm, const char *name, entry *entries, int color, tti_group *g)
{
    if (color == TUTTI_UNDEFINED) return 0;
    const int count = pick(entries, comm->size, color);
    g->members = tti_group_list(name, count);
    if (g->members == NULL) return TUTTI_ERR_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        g->members[i] = tti_comm_job_rank(comm, entries[i].rank);
        if (entries[i].rank == comm->rank) g->rank = i;
    }
    g->size = count;
    return 0;
}

/* Under the lock. */
static int split(const char *name, tutti_comm *comm, int color, int key, int wrong, tutti_comm **part)
{
    int code;
    tti_group g = {0};
    const entry mine = {color, key, comm->rank};
    entry *entries = tti_group_tell_all(name, comm, &mine, sizeof mine, &code);
    if (entries == NULL) return code;
    if (wrong == 0) wrong = fill_group(comm, name, entries, color, &g);
    free(entries);
    return tti_group_make(name, comm, &g, wrong, part);
}

int tutti_comm_split(tutti_comm *comm, int color, int key, tutti_comm **part)
{
    int code = tti_group_begin("tutti_comm_split", comm, part), wrong = 0;
    if (code < 0) return tti_answer(code);
    if (color < 0 && color != TUTTI_UNDEFINED) {
        wrong = tti_fail(TUTTI_ERR_ARG, "tutti_comm_split: color %d is neither 0 or more nor TUTTI_UNDEFINED",
                         color);
        color = TUTTI_UNDEFINED;
    }
    tti_lock();
    code = split("tutti_comm_split", comm, color, key, wrong, part);
    tti_unlock();
    return tti_answer(code);
}

int tutti_comm_split_node(tutti_comm *comm, tutti_comm **part)
{
    int code = tti_group_begin("tutti_comm_split_node", comm, part);
    if (code < 0) return tti_answer(code);
    const int node = tti_pmi_node_of(tti_comm_job_rank(comm, comm->rank));
    tti_lock();
    code =
        split("tutti_comm_split_node", comm, node < 0 ? TUTTI_UNDEFINED : node, 0, node < 0 ? node : 0, part);
    tti_unlock();
    return tti_answer(code);
}

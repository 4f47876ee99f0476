/* SPDX-License-Identifier: BSD-3-Clause */
/* Making communicators out of others. A rank whose own arguments are wrong takes part all the same, as one
 * without a group, so that the others do not wait for it. */
#include <stdlib.h>
#include <string.h>

#include "collectives/calls/call.h"
#include "collectives/calls/context_agree.h"
#include "collectives/execute/windows.h"
#include "pmi/pmi.h"
#include "runtime/base/status.h"
#include "runtime/comm/comm.h"
#include "runtime/p2p/lock.h"
#include "tutti/collectives.h"

/* The group of the new communicator, of which the caller is one, or nothing. */
typedef struct {
    int *members; /* world ranks, owned */
    int size, rank;
} group;

static int check(const char *name, tutti_comm *comm, tutti_comm **made)
{
    const int code = tti_check_open(name);
    if (code < 0) return code;
    if (comm == NULL || made == NULL)
        return tti_fail(TUTTI_ERR_ARG, "%s: %s is NULL", name, comm == NULL ? "comm" : "the output");
    return 0;
}

/* Agrees on a context and makes the communicator; takes over group->members. `wrong`: the error of a rank
 * that takes part only for the others. Under the lock. */
static int make(const char *name, tutti_comm *comm, group *g, int wrong, tutti_comm **made)
{
    tutti_comm *part = NULL;
    if (wrong == 0 && g->size > 0) wrong = tti_comm_make(g->members, g->size, g->rank, &part);
    comm->parts++;
    if (wrong == 0 && part != NULL) wrong = tti_windows_prepare(comm, part);
    free(g->members);
    int code = tti_context_agree(comm, name, wrong != TUTTI_ERR_NO_MEMORY, part);
    if (wrong < 0) code = wrong;
    if (code == 0)
        *made = part;
    else if (part != NULL)
        tti_comm_release(part);
    return code;
}

static int *new_list(const char *name, int count)
{
    int *list = malloc(((size_t)count + 1) * sizeof *list);
    if (list == NULL) tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a list of %d ranks", name, count);
    return list;
}

int tutti_comm_dup(tutti_comm *comm, tutti_comm **dup)
{
    int code = check("tutti_comm_dup", comm, dup);
    if (code < 0) return tti_answer(code);
    group g = {new_list("tutti_comm_dup", comm->size), comm->size, comm->rank};
    for (int r = 0; g.members != NULL && r < comm->size; r++)
        g.members[r] = tti_comm_world(comm, r);
    tti_lock();
    code = make("tutti_comm_dup", comm, &g, g.members == NULL ? TUTTI_ERR_NO_MEMORY : 0, dup);
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

static int fill_group(const tutti_comm *comm, const char *name, entry *entries, int color, group *g)
{
    if (color == TUTTI_UNDEFINED) return 0;
    const int count = pick(entries, comm->size, color);
    g->members = new_list(name, count);
    if (g->members == NULL) return TUTTI_ERR_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        g->members[i] = tti_comm_world(comm, entries[i].rank);
        if (entries[i].rank == comm->rank) g->rank = i;
    }
    g->size = count;
    return 0;
}

/* Under the lock. */
static int split(const char *name, tutti_comm *comm, int color, int key, int wrong, tutti_comm **part)
{
    tti_call call;
    group g = {NULL, 0, 0};
    const entry mine = {color, key, comm->rank};
    entry *entries = malloc((size_t)comm->size * sizeof *entries);
    if (entries == NULL)
        return tti_run_drop_out(comm, tti_fail(TUTTI_ERR_NO_MEMORY,
                                               "%s: no memory for the colors of %d ranks", name, comm->size));
    int code =
        tti_call_make(&call, name, TTI_ALLGATHER,
                      &(tti_arguments){.comm = comm, .send = &mine, .recv = entries, .count = sizeof mine});
    code = tti_call_block_locked(code, &call);
    if (code == 0) {
        if (wrong == 0) wrong = fill_group(comm, name, entries, color, &g);
        code = make(name, comm, &g, wrong, part);
    }
    free(entries);
    return code;
}

int tutti_comm_split(tutti_comm *comm, int color, int key, tutti_comm **part)
{
    int code = check("tutti_comm_split", comm, part), wrong = 0;
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
    int code = check("tutti_comm_split_node", comm, part);
    if (code < 0) return tti_answer(code);
    const int node = tti_pmi_node_of(tti_comm_world(comm, comm->rank));
    tti_lock();
    code =
        split("tutti_comm_split_node", comm, node < 0 ? TUTTI_UNDEFINED : node, 0, node < 0 ? node : 0, part);
    tti_unlock();
    return tti_answer(code);
}

/* What each rank tells of its list, so that all can see whether the lists of a group agree. */
typedef struct {
    uint64_t hash;
    int count, wrong;
} digest;

static digest digest_of(const int *members, int count, int wrong)
{
    digest d = {UINT64_C(14695981039346656037), count, wrong};
    for (int i = 0; i < count && wrong == 0; i++)
        d.hash = (d.hash ^ (uint64_t)(uint32_t)members[i]) * UINT64_C(1099511628211);
    return d;
}

static int check_members(const tutti_comm *comm, const int *members, int count)
{
    if (count < 0 || count > comm->size || (count > 0 && members == NULL))
        return tti_fail(TUTTI_ERR_ARG, "tutti_comm_create: a list of %d members of %d ranks", count,
                        comm->size);
    bool *named = calloc((size_t)comm->size, sizeof *named);
    if (named == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_comm_create: no memory for %d marks", comm->size);
    int code = 0;
    for (int i = 0; i < count && code == 0; i++) {
        const bool inside = members[i] >= 0 && members[i] < comm->size;
        if (!inside || named[members[i]])
            code = tti_fail(TUTTI_ERR_RANK, "tutti_comm_create: member %d, rank %d, is %s", i, members[i],
                            inside ? "named twice" : "out of range");
        else
            named[members[i]] = true;
    }
    free(named);
    return code;
}

/* Every member must have given the caller's own list. */
static int compare_digests(const digest *all, const digest *mine, const int *members, int count)
{
    for (int i = 0; i < count; i++) {
        const digest *theirs = &all[members[i]];
        if (theirs->wrong == TUTTI_ERR_NO_MEMORY)
            return tti_fail(theirs->wrong, "tutti_comm_create: rank %d has no memory for it", members[i]);
        if (theirs->wrong != 0 || theirs->count != mine->count || theirs->hash != mine->hash)
            return tti_fail(TUTTI_ERR_ARG, "tutti_comm_create: rank %d gives another list than rank %d",
                            members[i], members[0]);
    }
    return 0;
}

static int fill_created(const tutti_comm *comm, const int *members, int count, group *g)
{
    for (int i = 0; i < count; i++)
        if (members[i] == comm->rank) g->rank = i;
    if (g->rank < 0) return 0;
    g->members = new_list("tutti_comm_create", count);
    if (g->members == NULL) return TUTTI_ERR_NO_MEMORY;
    for (int i = 0; i < count; i++)
        g->members[i] = tti_comm_world(comm, members[i]);
    g->size = count;
    return 0;
}

/* Under the lock. */
static int create(tutti_comm *comm, const int *members, int count, int wrong, tutti_comm **part)
{
    tti_call call;
    group g = {NULL, 0, -1};
    const digest mine = digest_of(members, count, wrong);
    digest *all = malloc((size_t)comm->size * sizeof *all);
    if (all == NULL)
        return tti_run_drop_out(
            comm, tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_comm_create: no memory for %d digests", comm->size));
    int code =
        tti_call_make(&call, "tutti_comm_create", TTI_ALLGATHER,
                      &(tti_arguments){.comm = comm, .send = &mine, .recv = all, .count = sizeof mine});
    code = tti_call_block_locked(code, &call);
    if (code == 0) {
        if (wrong == 0) wrong = fill_created(comm, members, count, &g);
        if (wrong == 0 && g.size > 0) wrong = compare_digests(all, &mine, members, count);
        code = make("tutti_comm_create", comm, &g, wrong, part);
    }
    free(all);
    return code;
}

int tutti_comm_create(tutti_comm *comm, const int *members, int count, tutti_comm **part)
{
    int code = check("tutti_comm_create", comm, part);
    if (code < 0) return tti_answer(code);
    const int wrong = check_members(comm, members, count);
    tti_lock();
    code = create(comm, members, count, wrong, part);
    tti_unlock();
    return tti_answer(code);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/comm_create.h"

#include <stdlib.h>

#include "collectives/calls/comm_group.h"
#include "runtime/base/digest.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"
#include "tutti/collectives.h"

/* What each rank tells of what it asks for, so that all can see whether those of a group agree. */
typedef struct {
    uint64_t hash;
    int count, wrong;
} digest;

static void take_in(digest *d, int number)
{
    d->hash = tti_digest(d->hash, &number, sizeof number);
}

static digest digest_of(const tti_creation *asked)
{
    digest d = {TTI_DIGEST_OF_NOTHING, asked->count, asked->wrong};
    for (int i = 0; i < asked->count && asked->wrong == 0; i++)
        take_in(&d, asked->members[i]);
    for (int i = 0; asked->grid != NULL && i < asked->grid->dims; i++) {
        take_in(&d, asked->grid->extents[i]);
        take_in(&d, asked->grid->periodic[i]);
    }
    for (int i = 0; asked->stencil != NULL && i < asked->stencil->count * asked->grid->dims; i++)
        take_in(&d, asked->stencil->offsets[i]);
    return d;
}

static const char *kind_of(const tti_creation *asked)
{
    if (asked->stencil != NULL) return "stencil";
    return asked->grid != NULL ? "grid" : "list";
}

/* Every member, or every rank, must have asked for what the caller did. */
static int compare_digests(const char *name, const tutti_comm *comm, const digest *all,
                           const tti_creation *asked)
{
    const digest *mine = &all[comm->rank];
    const int count = asked->of_all ? comm->size : asked->count;
    for (int i = 0; i < count; i++) {
        const int rank = asked->of_all ? i : asked->members[i];
        const digest *theirs = &all[rank];
        if (theirs->wrong == TUTTI_ERR_NO_MEMORY)
            return tti_fail(theirs->wrong, "%s: rank %d has no memory for it", name, rank);
        if (theirs->wrong != 0 || theirs->count != mine->count || theirs->hash != mine->hash)
            return tti_fail(TUTTI_ERR_ARG, "%s: rank %d gives another %s than rank %d", name, rank,
                            kind_of(asked), comm->rank);
    }
    return 0;
}

static int fill_created(const char *name, const tutti_comm *comm, const tti_creation *asked, tti_group *g)
{
    for (int i = 0; i < asked->count; i++)
        if (asked->members[i] == comm->rank) g->rank = i;
    if (g->rank < 0) return 0;
    g->members = tti_group_list(name, asked->count);
    if (g->members == NULL) return TUTTI_ERR_NO_MEMORY;
    for (int i = 0; i < asked->count; i++)
        g->members[i] = tti_comm_job_rank(comm, asked->members[i]);
    g->size = asked->count;
    return asked->grid != NULL ? tti_group_on_grid(name, asked->grid, asked->stencil, g) : 0;
}

int tti_comm_create(const char *name, tutti_comm *comm, const tti_creation *asked, tutti_comm **made)
{
    int code, wrong = asked->wrong;
    tti_group g = {.rank = -1};
    const digest mine = digest_of(asked);
    digest *all = tti_group_tell_all(name, comm, &mine, sizeof mine, &code);
    if (all == NULL) return code;
    if (wrong == 0) wrong = fill_created(name, comm, asked, &g);
    if (wrong == 0 && (g.size > 0 || asked->of_all)) wrong = compare_digests(name, comm, all, asked);
    free(all);
    return tti_group_make(name, comm, &g, wrong, made);
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

int tutti_comm_create(tutti_comm *comm, const int *members, int count, tutti_comm **part)
{
    int code = tti_group_begin("tutti_comm_create", comm, part);
    if (code < 0) return tti_answer(code);
    const tti_creation asked = {
        .members = members, .count = count, .wrong = check_members(comm, members, count)};
    tti_lock();
    code = tti_comm_create("tutti_comm_create", comm, &asked, part);
    tti_unlock();
    return tti_answer(code);
}

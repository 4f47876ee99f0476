/* SPDX-License-Identifier: BSD-3-Clause */
#include "keep/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keep/buddies.h"
#include "keep/work.h"
#include "pmi/pmi.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/ways.h"

enum { KEEP_COPIES, KEEP_XOR }; /* as the option has them */

static tti_keep *kept;

tti_keep *tti_keep_find(const char *name, const tutti_comm *comm)
{
    tti_keep *k = kept;
    while (k != NULL && (k->context != comm->context || strcmp(k->name, name) != 0))
        k = k->next;
    return k;
}

tti_keep *tti_keep_find_version(const char *name)
{
    tti_keep *k = kept;
    while (k != NULL && (k->version == 0 || strcmp(k->name, name) != 0))
        k = k->next;
    return k;
}

tti_keep *tti_keep_find_former(const tti_keep *keep)
{
    tti_keep *k = kept;
    while (k != NULL && (k == keep || k->version == 0 || strcmp(k->name, keep->name) != 0))
        k = k->next;
    return k;
}

tti_keep *tti_keep_find_busy(const char *name)
{
    tti_keep *k = kept;
    while (k != NULL && (!k->busy || strcmp(k->name, name) != 0))
        k = k->next;
    return k;
}

static void unlist(const tti_keep *k)
{
    tti_keep **link = &kept;
    while (*link != k)
        link = &(*link)->next;
    *link = k->next;
}

void tti_keep_free(tti_keep *k)
{
    unlist(k);
    for (int i = 0; i < 2; i++) {
        tti_keep_room_empty(&k->mine[i]);
        tti_keep_room_empty(&k->wards[i]);
        for (int other = 0; k->maps[i] != NULL && other < k->others; other++)
            tti_keep_room_empty(&k->maps[i][other]);
    }
    free(k->maps[0]);
    tti_keep_room_empty(&k->rebuilt);
    free(k->lists);
    free(k);
}

static int pair(tti_keep *k, const int *nodes)
{
    const int code = tti_keep_pair(nodes, k->size, k->buddy);
    for (int r = 0; code == 0 && r < k->size; r++)
        if (k->buddy[r] == k->rank) k->ward = r;
    return code;
}

static int divide(tti_keep *k, const int *nodes)
{
    const int code = tti_keep_divide(nodes, (int)tti_option_value(TTI_OPTION_KEEP_GROUP), &k->groups);
    if (code < 0) return code;
    for (int r = 0; r < k->size; r++)
        k->buddy[r] = tti_keep_behind(&k->groups, r, 1);
    k->others = tti_keep_group_size(&k->groups, k->rank) - 1;
    k->maps[0] = calloc(2 * (size_t)k->others, sizeof *k->maps[0]);
    if (k->maps[0] == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a group of %d ranks", k->others + 1);
    k->maps[1] = k->maps[0] + k->others;
    return 0;
}

/* Who holds what besides the ranks themselves. */
static int arrange(tti_keep *k)
{
    int *nodes = malloc((size_t)k->size * sizeof *nodes);
    if (nodes == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the nodes of %d ranks", k->size);
    const bool divides = tti_option_value(TTI_OPTION_KEEP) == KEEP_XOR && k->size > 1;
    int code = 0;
    for (int r = 0; code == 0 && r < k->size; r++) {
        nodes[r] = tti_pmi_node_of(k->members[r]);
        if (nodes[r] < 0) code = nodes[r];
    }
    if (code == 0) code = divides ? divide(k, nodes) : pair(k, nodes);
    free(nodes);
    return code;
}

static int make_lists(tti_keep *k)
{
    const size_t size = (size_t)k->size;
    size_t *block = malloc(size * (2 * sizeof *block + 4 * sizeof *k->members));
    if (block == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_keep: no memory for tables of %d ranks", k->size);
    k->lists = k->bytes_of[0] = block;
    k->bytes_of[1] = block + size;
    k->members = (int *)(void *)(block + 2 * size);
    k->buddy = k->members + size;
    k->groups = (tti_keep_groups){k->size, 0, k->buddy + size, k->buddy + 2 * size};
    return 0;
}

static tti_keep *make(const char *name, const tutti_comm *comm)
{
    tti_keep *k = calloc(1, sizeof *k);
    if (k == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for what is kept as \"%s\"", name);
        return NULL;
    }
    snprintf(k->name, sizeof k->name, "%s", name);
    k->context = comm->context;
    k->rank = k->ward = comm->rank;
    k->size = comm->size;
    k->rebuilt_of = -1;
    k->next = kept;
    kept = k;
    return k;
}

int tti_keep_make(const char *name, const tutti_comm *comm, tti_keep **made)
{
    tti_keep *k = make(name, comm);
    if (k == NULL) return TUTTI_ERR_NO_MEMORY;
    int code = make_lists(k);
    for (int r = 0; code == 0 && r < k->size; r++)
        k->members[r] = tti_comm_job_rank(comm, r);
    if (code == 0) code = arrange(k);
    if (code < 0)
        tti_keep_free(k);
    else
        *made = k;
    return code;
}

int tti_keep_inherit(const char *name, const tutti_comm *comm, int giver, uint64_t stamp, tti_keep **made)
{
    tti_keep *k = make(name, comm);
    if (k == NULL) return TUTTI_ERR_NO_MEMORY;
    k->context = TTI_COMM_NO_CONTEXT; /* the next version is kept anew */
    k->version = 1;
    k->stamp = stamp;
    k->giver = tti_comm_job_rank(comm, giver);
    *made = k;
    return 0;
}

void tti_keep_close_all(void)
{
    tti_keep_drop_work();
    while (kept != NULL)
        tti_keep_free(kept);
}

/* Whether one that gets the piece, or a part of it, is on the node. */
static bool is_near(const tti_keep *k)
{
    if (k->others == 0) return k->size > 1 && tti_ways_node_index(k->members[k->buddy[k->rank]]) >= 0;
    for (int i = 1; i <= k->others; i++)
        if (tti_ways_node_index(k->members[tti_keep_behind(&k->groups, k->rank, i)]) >= 0) return true;
    return false;
}

/* Where it is not shared it goes by message. */
int tti_keep_room_for_own(const tti_keep *k, tti_keep_room *room, size_t bytes)
{
    return bytes == 0 || !is_near(k) ? tti_keep_room_private(room, bytes) : tti_keep_room_shared(room, bytes);
}

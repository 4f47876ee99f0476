/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/comm/comm.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hot.h"
#include "runtime/base/status.h"

/* A power of two. */
#define HASHES 4096

static tutti_comm *by_context[HASHES];
static uint64_t contexts_given;
static int own_rank, world_size, processes;
static void (*context_gone)(uint64_t context);

static tutti_comm **place_of(uint64_t context)
{
    return &by_context[context * UINT64_C(0x9e3779b97f4a7c15) / (UINT64_MAX / HASHES + 1)];
}

uint64_t tti_comm_new_context(void)
{
    const uint64_t most = (UINT64_C(1) << TTI_COMM_CONTEXT_BITS) / (uint64_t)processes - 1;
    if (contexts_given == most) return TTI_COMM_NO_CONTEXT;
    return ++contexts_given * (uint64_t)processes + (uint64_t)own_rank;
}

void tti_comm_set_context(tutti_comm *comm, uint64_t context)
{
    tutti_comm **place = place_of(context);
    comm->context = context;
    comm->next = *place;
    *place = comm;
}

TTI_HOT tutti_comm *tti_comm_find(uint64_t context)
{
    tutti_comm *comm = *place_of(context);
    while (comm != NULL && comm->context != context)
        comm = comm->next;
    return comm;
}

/* It is told when the communicator cannot be found any more. */
static void drop_context(tutti_comm *comm)
{
    if (comm->context == TTI_COMM_NO_CONTEXT) return;
    tutti_comm **link = place_of(comm->context);
    while (*link != comm)
        link = &(*link)->next;
    *link = comm->next;
    if (context_gone != NULL) context_gone(comm->context);
}

void tti_comm_watch(void (*gone)(uint64_t context))
{
    context_gone = gone;
}

static int compare_members(const void *a, const void *b, void *members)
{
    const int x = ((const int *)members)[*(const int *)a], y = ((const int *)members)[*(const int *)b];
    return (x > y) - (x < y);
}

static bool is_world(const int *members, int size)
{
    if (size != world_size) return false;
    for (int i = 0; i < size; i++) {
        if (members[i] != i) return false;
    }
    return true;
}

/* Copies the member list and makes the way back; a group that is the world again needs neither. */
static bool fill_members(tutti_comm *comm, const int *members, int size)
{
    if (is_world(members, size)) return true;
    const size_t bytes = (size_t)size * sizeof *members;
    comm->members = malloc(bytes);
    comm->ranks_sorted = malloc(bytes);
    if (comm->members == NULL || comm->ranks_sorted == NULL) return false;
    memcpy(comm->members, members, bytes);
    for (int i = 0; i < size; i++)
        comm->ranks_sorted[i] = i;
    qsort_r(comm->ranks_sorted, (size_t)size, sizeof *members, compare_members, comm->members);
    return true;
}

static void destroy(tutti_comm *comm)
{
    free(comm->members);
    free(comm->ranks_sorted);
    tti_neighbours_free(comm->neighbours);
    free(comm->grid);
    free(comm->drop_out_detail);
    free(comm);
}

int tti_comm_open_world(int rank, int size, int reserve, tutti_comm **world)
{
    own_rank = rank;
    world_size = size;
    processes = size + reserve;
    contexts_given = 0;
    *world = NULL;
    if (rank >= size) return 0;
    tutti_comm *comm = calloc(1, sizeof *comm);
    if (comm == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the world communicator");
    comm->rank = rank;
    comm->size = size;
    comm->references = 1;
    tti_comm_set_context(comm, 0);
    *world = comm;
    return 0;
}

int tti_comm_make(const int *members, int size, int rank, tutti_comm **made)
{
    tutti_comm *comm = calloc(1, sizeof *comm);
    if (comm == NULL || !fill_members(comm, members, size)) {
        if (comm != NULL) destroy(comm);
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a communicator of %d ranks", size);
    }
    comm->context = TTI_COMM_NO_CONTEXT;
    comm->rank = rank;
    comm->size = size;
    comm->references = 1;
    *made = comm;
    return 0;
}

void tti_comm_end(tutti_comm *comm)
{
    if (comm->collectives_end != NULL) comm->collectives_end(comm);
    drop_context(comm);
    if (comm->agreements_end != NULL) comm->agreements_end(comm);
    destroy(comm);
}

int tti_comm_rank_among(const tutti_comm *comm, int job_rank)
{
    int low = 0, high = comm->size - 1;
    while (low <= high) {
        const int middle = low + (high - low) / 2;
        const int rank = comm->ranks_sorted[middle], found = comm->members[rank];
        if (found == job_rank) return rank;
        if (found < job_rank)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int tti_comm_check_revoked(const tutti_comm *comm)
{
    if (!comm->revoked) return 0;
    return tti_fail(
        TUTTI_ERR_REVOKED,
        "the communicator of %d ranks has been revoked by tutti_comm_revoke(): only tutti_comm_agree(), "
        "tutti_comm_shrink(), tutti_comm_restore(), tutti_comm_failed(), tutti_comm_acknowledge(), "
        "tutti_comm_free(), and tutti_recall() where no newcomer wants its piece, work on it",
        comm->size);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/comm/comm.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hot.h"
#include "runtime/base/status.h"

static uint64_t used_contexts[TTI_COMM_MASK_WORDS], kept_contexts[TTI_COMM_MASK_WORDS];
static int world_size;
static void (*context_gone)(uint32_t context);

static void set_used(uint32_t context, bool used)
{
    const uint64_t bit = UINT64_C(1) << (context % 64);
    if (used)
        used_contexts[context / 64] |= bit;
    else
        used_contexts[context / 64] &= ~bit;
}

static void give_context(uint32_t context)
{
    if (context == TTI_COMM_NO_CONTEXT) return;
    if (context_gone != NULL) context_gone(context);
    if ((kept_contexts[context / 64] >> context % 64 & 1) == 0) set_used(context, false);
}

void tti_comm_keep_context(uint32_t context)
{
    kept_contexts[context / 64] |= UINT64_C(1) << (context % 64);
}

void tti_comm_watch(void (*gone)(uint32_t context))
{
    context_gone = gone;
}

bool tti_comm_has_context(uint32_t context)
{
    return context < TTI_COMM_CONTEXTS && (used_contexts[context / 64] >> context % 64 & 1) != 0;
}

void tti_comm_free_contexts(uint64_t mask[TTI_COMM_MASK_WORDS])
{
    for (int i = 0; i < TTI_COMM_MASK_WORDS; i++)
        mask[i] = ~used_contexts[i];
}

int tti_comm_take_context(const uint64_t common[TTI_COMM_MASK_WORDS], uint32_t *context)
{
    for (int i = 0; i < TTI_COMM_MASK_WORDS; i++) {
        const uint64_t both = common[i] & ~used_contexts[i];
        if (both == 0) continue;
        *context = (uint32_t)i * 64 + (uint32_t)__builtin_ctzll(both);
        set_used(*context, true);
        return 0;
    }
    return tti_fail(TUTTI_ERR_LIMIT,
                    "all %d communicator contexts that the ranks have in common are in use; free some "
                    "communicators",
                    TTI_COMM_CONTEXTS);
}

static int compare_world(const void *a, const void *b, void *members)
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
    qsort_r(comm->ranks_sorted, (size_t)size, sizeof *members, compare_world, comm->members);
    return true;
}

static void destroy(tutti_comm *comm)
{
    free(comm->members);
    free(comm->ranks_sorted);
    free(comm);
}

int tti_comm_open_world(int rank, int size, tutti_comm **world)
{
    tutti_comm *comm = calloc(1, sizeof *comm);
    if (comm == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the world communicator");
    comm->rank = rank;
    comm->size = world_size = size;
    comm->references = 1;
    memset(used_contexts, 0, sizeof used_contexts);
    memset(kept_contexts, 0, sizeof kept_contexts);
    set_used(0, true);
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

void tti_comm_release(tutti_comm *comm)
{
    if (--comm->references > 0) return;
    if (comm->collectives_free != NULL) comm->collectives_free(comm->collectives);
    give_context(comm->context);
    destroy(comm);
}

TTI_HOT int tti_comm_rank_of(const tutti_comm *comm, int world_rank)
{
    if (comm->members == NULL) return world_rank >= 0 && world_rank < comm->size ? world_rank : -1;
    int low = 0, high = comm->size - 1;
    while (low <= high) {
        const int middle = low + (high - low) / 2;
        const int rank = comm->ranks_sorted[middle], world = comm->members[rank];
        if (world == world_rank) return rank;
        if (world < world_rank)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

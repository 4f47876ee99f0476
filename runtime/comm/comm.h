/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: groups of ranks and context ids, nothing else. Making one out of another needs communication
 * and lives in collectives/comm_make.c; here are the parts it is made of. Guarded by the library's lock. */
#ifndef TTI_COMM_H
#define TTI_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/comm.h"

/* Context ids are agreed on by a bitmask allreduce, so their number is small and fixed. Each communicator has
 * two matching spaces: context * 2 for the user's messages, context * 2 + 1 for collectives. */
#define TTI_COMM_CONTEXTS 4096
#define TTI_COMM_MASK_WORDS (TTI_COMM_CONTEXTS / 64)

struct tutti_comm {
    uint32_t context; /* 0 is the world's */
    int rank, size;
    int *members;      /* world rank of each rank; NULL: the identity (the world costs nothing per rank) */
    int *ranks_sorted; /* ranks ordered by world rank, for the way back; NULL with members */
    int references;    /* the user's handle and each operation under way */
    bool freed;        /* the user's handle is gone */
    uint32_t sequence; /* collectives started so far, for their tags */
    void *collectives; /* schedules cached here, filled at first use by collectives/ */
    void (*collectives_free)(void *); /* its destructor, set with it */
};

/* World rank of `rank` of `comm`. */
static inline int tti_comm_world(const tutti_comm *comm, int rank)
{
    return comm->members != NULL ? comm->members[rank] : rank;
}
/* Rank in `comm` of a world rank, or -1. */
int tti_comm_rank_of(const tutti_comm *comm, int world_rank);

/* Makes the world (context 0); at init. */
int tti_comm_open_world(int rank, int size, tutti_comm **world);
/* Makes one from `members` (world ranks, copied; `rank` is the caller's place), without a context: when that
 * is agreed on the caller sets it, and the communicator owns it. */
#define TTI_COMM_NO_CONTEXT UINT32_MAX
int tti_comm_make(const int *members, int size, int rank, tutti_comm **comm);
/* Keeps the communicator alive while an operation on it is under way. */
static inline void tti_comm_hold(tutti_comm *comm)
{
    comm->references++;
}
/* Drops a reference; the last one frees members, schedules and the context. */
void tti_comm_release(tutti_comm *comm);
/* `gone` is called with each context just before it becomes free for reuse, so that messages nobody received
 * on the old communicator cannot turn up on a new one. NULL: nobody is told. */
void tti_comm_watch(void (*gone)(uint32_t context));

/* Bit set of context ids free here, TTI_COMM_MASK_WORDS words, to be ANDed over the ranks; the lowest common
 * one is then taken by tti_comm_take_context(). */
void tti_comm_free_contexts(uint64_t mask[TTI_COMM_MASK_WORDS]);
/* Whether a communicator here has the context. */
bool tti_comm_has_context(uint32_t context);
/* The context will not be used again here when its communicator goes. */
void tti_comm_keep_context(uint32_t context);
int tti_comm_take_context(const uint64_t common[TTI_COMM_MASK_WORDS], uint32_t *context);

#endif

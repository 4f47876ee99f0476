/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: groups of ranks and context ids, nothing else. Making one out of another needs communication
 * and lives in collectives/calls/comm_make.c; here are the parts it is made of. Guarded by the library's
 * lock. */
#ifndef TTI_COMM_H
#define TTI_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/comm/neighbourhood.h"
#include "tutti/comm.h"

/* A context is the number of a communicator, which its messages bear. It is given out by one rank, the first
 * of the communicator that the new one is made from: count * processes of the job + rank, counted up for
 * ever. So no rank is ever in two communicators of one context, and a message that comes late finds its own
 * communicator or none. Communicators of one split, which have no rank in common, share theirs. Each has room
 * for four matching spaces (runtime/p2p/p2p.h): for the user's messages, collectives and checkpoints; packets
 * have 48 bits for these. */
#define TTI_COMM_SPACES 4
#define TTI_COMM_CONTEXT_BITS 46
#define TTI_COMM_NO_CONTEXT UINT64_MAX

struct tutti_comm {
    uint64_t context; /* 0 is the world's */
    int rank, size;
    int *members;         /* job rank of each rank; NULL: the identity (the world costs nothing per rank) */
    int *ranks_sorted;    /* ranks ordered by job rank, for the way back; NULL with members */
    int references;       /* the user's handle and each operation under way */
    bool freed;           /* the user's handle is gone */
    _Atomic bool revoked; /* all that is under way on it has ended, and nothing can be started */
    uint32_t sequence;    /* collectives started so far, for their tags */
    /* From the number tags_checked on the tags of so many differ from those of what is under way. */
    uint32_t tags_checked, tags_differ;
    uint32_t keeps;    /* checkpoints kept and recalled so far, likewise */
    int acknowledged;  /* of the ranks of the job that failed, in the order in which this rank heard of them,
                          so many are no news to the program (runtime/peers/acknowledge.c) */
    uint32_t parts;    /* how often others have been made of it, which its ranks do together */
    int drop_out_code; /* 0, or why no collective is possible any more (collectives/execute/run_drop_out.c) */
    int drop_out_rank; /* the rank of the job by which none is possible */
    char *drop_out_detail;      /* the error's detail, where this rank knows more than that; or NULL; owned */
    tti_neighbours *neighbours; /* of a graph or a grid; else NULL; owned */
    tti_grid *grid;             /* else NULL; owned */
    void *collectives;          /* schedules cached here, filled at first use by collectives/ */
    void (*collectives_end)(tutti_comm *); /* called when the communicator goes; set with `collectives` */
    void *agreements;                      /* on it (collectives/agree), made at the first; owned */
    void (*agreements_end)(tutti_comm *);  /* likewise, when its context is no longer found */
    tutti_comm *next;                      /* among those whose contexts have one hash */
};

/* Job rank of `rank` of `comm`. */
static inline int tti_comm_job_rank(const tutti_comm *comm, int rank)
{
    return comm->members != NULL ? comm->members[rank] : rank;
}
int tti_comm_rank_among(const tutti_comm *comm, int job_rank);
/* Rank in `comm` of a job rank, or -1. */
static inline int tti_comm_rank_of(const tutti_comm *comm, int job_rank)
{
    if (comm->members != NULL) return tti_comm_rank_among(comm, job_rank);
    return (unsigned)job_rank < (unsigned)comm->size ? job_rank : -1;
}

/* Makes the world (context 0) of `size` ranks; at init. Behind these there may be `reserve` other processes;
 * for one of them *world is NULL. */
int tti_comm_open_world(int rank, int size, int reserve, tutti_comm **world);
/* Makes one from `members` (job ranks, copied; `rank` is the caller's place), without a context: when that
 * is agreed on the caller sets it. */
int tti_comm_make(const int *members, int size, int rank, tutti_comm **comm);
/* Keeps the communicator alive while an operation on it is under way. */
static inline void tti_comm_hold(tutti_comm *comm)
{
    comm->references++;
}
void tti_comm_end(tutti_comm *comm);
/* Drops a reference; the last one frees members, schedules and what waits for the context. */
static inline void tti_comm_release(tutti_comm *comm)
{
    if (__builtin_expect(--comm->references == 0, 0)) tti_comm_end(comm);
}
/* `gone` is called with each context whose communicator goes, so that senders of messages nobody received on
 * it hear that. NULL: nobody is told. */
void tti_comm_watch(void (*gone)(uint64_t context));

/* A context that this rank gives out; TTI_COMM_NO_CONTEXT when all have been. */
uint64_t tti_comm_new_context(void);
void tti_comm_set_context(tutti_comm *comm, uint64_t context);
/* The communicator here that has the context, or NULL. */
tutti_comm *tti_comm_find(uint64_t context);
/* 0, or TUTTI_ERR_REVOKED with its detail. */
int tti_comm_check_revoked(const tutti_comm *comm);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The board: memory that the ranks of a communicator share when they are all on one node, on which the
 * blocking collectives run without messages.
 *
 *     head | results | lane of rank 0 | lane of rank 1 | …
 *     lane: counts | cells | two buffers going in | two buffers with results [| cells of two tiers]
 *
 * Every rank writes into its own lane alone (the last to arrive also into a result). A cell holds what a rank
 * brings to one small operation; its flag, the operation's number, is in its first line, with the payload if
 * that is at most 48 bytes. Ranks pass through the same operations in the same order, so each knows without
 * asking which cell an operation uses. Between two synchronisations, a phase, each operation has a cell of
 * its own; phases take turns, and who has come to a second synchronisation has finished all before the first.
 * An operation in which not all wait for all (bcast, reduce) uses up one more cell; when those of a phase are
 * used up, all synchronise.
 *
 * Large operations go in blocks through the buffers. `filled` and `done` count blocks since the board was
 * made, so that they never go back: block number b lies in buffer b % 2, and may be filled once every other
 * rank is done with block b - 2.
 *
 * Memory order: a flag or count is stored sequentially consistent after what it announces, then the waiting
 * ranks' bells are looked at (runtime/node/bell.c); waiting loads acquire. Under the library's lock. */
#ifndef TTI_COLLECTIVES_BOARD_H
#define TTI_COLLECTIVES_BOARD_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectives/contract/call_record.h"
#include "collectives/execute/windows.h"
#include "runtime/base/atomics.h"
#include "runtime/comm/comm.h"
#include "runtime/node/node.h"
#include "runtime/p2p/watchdog.h"

#define TTI_BOARD_LINE 64
/* A cell is used again after so many synchronisations; two would do, but for a rank that gets its next cell
 * ready while others still read its last one. */
#define TTI_BOARD_PHASES 4

/* What one rank, or the last to arrive, tells the others in one operation. */
typedef struct {
    alignas(TTI_BOARD_LINE) _Atomic uint64_t flag; /* number of the operation whose content is here */
    uint64_t mark;                                 /* tti_board_mark() of the call */
    unsigned char data[];                          /* shape.cell_bytes */
} tti_cell;

/* Sizes, the same for all; tests shrink them. */
typedef struct {
    uint32_t ranks;
    uint32_t cells;      /* per phase, at least 2 */
    uint32_t cell_bytes; /* largest payload of a cell */
    uint32_t block;      /* bytes of a buffer */
    uint32_t crowded;    /* there are more ranks than processors: arrivals are counted, nobody spins */
    uint32_t groups;     /* of ranks that are near each other (tiers.h); 0: all are alike */
} tti_board_shape;

/* The call that a rank makes now or has made last (board_call.c). Nobody reads it but who waits in vain. */
typedef struct {
    alignas(TTI_BOARD_LINE) _Atomic uint64_t number; /* of the operation; 0 while the rest is being written */
    _Atomic uint64_t mark, type, rest;
} tti_lane_call;

/* A rank's counts, each in a line of its own, and the place of the flag or count that it sleeps for, if it
 * does, in bytes from the head. */
typedef struct {
    alignas(TTI_BOARD_LINE) _Atomic uint64_t filled;
    alignas(TTI_BOARD_LINE) _Atomic uint64_t done;
    alignas(TTI_BOARD_LINE) _Atomic uint64_t awaits;
    _Atomic uint32_t left; /* this rank has left the board */
    tti_lane_call call;
} tti_lane_counts;

typedef struct {
    alignas(TTI_BOARD_LINE) _Atomic uint32_t users;    /* ranks that have not left it */
    alignas(TTI_BOARD_LINE) _Atomic int32_t lost;      /* 0, or 1 + world rank of one that died */
    alignas(TTI_BOARD_LINE) _Atomic uint64_t arrivals; /* at counted meetings, since it was made */
} tti_board_head;

typedef struct tti_board tti_board;
typedef bool tti_board_ready_fn(const void *argument);

/* Memory of another rank, mapped here. */
typedef struct {
    uint64_t id; /* 0: none */
    void *base;
} tti_board_map;

/* A buffer of this rank's that others may ask for. */
typedef struct {
    uint64_t address, bytes;
} tti_board_range;

/* What this rank has asked another for by messages (reach.h). */
typedef struct {
    unsigned char *to; /* where what is read goes */
    size_t left;       /* bytes not yet answered */
    uint32_t number;
    bool refused;
} tti_board_asked;

/* Who is near whom, as one rank sees it. */
typedef struct {
    const int *group_of; /* [ranks]; groups are numbered by their lowest rank, which leads them */
    int groups;          /* 0: all are alike */
    int group, leader;   /* of this rank */
    bool in_order;       /* groups are ranges of ranks: going by groups is going by ranks */
    int *leaders;        /* [groups]; the block holds members and group_of, too */
    int *members;        /* [count] of the own group, upwards */
    int count;
} tti_tiers;

/* One rank's view. */
struct tti_board {
    tti_board_head *head;
    tti_board_shape shape;
    int rank, size;
    tti_node *node;
    tutti_comm *comm; /* NULL in tests of threads as ranks */
    int *peers;       /* [size] index on the node */
    size_t cell_stride, lane_stride;
    char *results, *lanes;
    uint64_t number;        /* of the last operation */
    uint64_t meetings;      /* counted ones so far */
    uint64_t blocks;        /* blocks so far */
    uint32_t phase, used;   /* synchronisations, modulo TTI_BOARD_PHASES; cells used since */
    int spins;              /* looks at a flag before waiting in earnest */
    int awaited;            /* rank whose word the wait under way is for; -1: all ranks */
    const char *call;       /* public name of the call under way, for reports */
    tti_call_record record; /* that call */
    size_t small;           /* bytes that go by a cell; more are large */
    bool mappable;          /* in the last allreduce all ranks' buffers were from tutti_mem_alloc() */
    bool copies;            /* all can read and write each other's memory (runtime/node) */
    tti_crossings ways;     /* of this node's */
    tti_windows *windows;   /* of the same ranks, on which they make other calls; NULL: none */
    bool dropped;           /* a rank has dropped out of the collectives (tti_run_drop_out()) */
    unsigned char *scratch; /* TTI_BOARD_SCRATCH bytes */
    unsigned char *fetched; /* TTI_BOARD_FETCHED bytes, of another rank's memory */
    unsigned char *sum;     /* as many */
    tti_tiers tiers;
    tti_board_map *maps; /* [2 * size] input and output of each rank (offer.h) */
    bool exposes;        /* `exposed` holds: a large operation is under way */
    tti_board_range exposed[2];
    tti_board_asked asked;
    /* Waits until `ready(argument)`; returns 0 or an error that ends the operation. */
    int (*wait)(tti_board *board, tti_board_ready_fn *ready, const void *argument);
    struct tti_board *next; /* among the boards of this process */
};

/* A part of a reduction small enough for the first cache. */
#define TTI_BOARD_SCRATCH 4096
/* As much as is fetched from another rank's memory at a time, before it is combined. */
#define TTI_BOARD_FETCHED 131072

/* -- board.c -- */
tti_board_shape tti_board_shape_for(int ranks, bool crowded);
size_t tti_board_bytes(const tti_board_shape *shape);
/* Prepares fresh memory (zeros) as a board. `group_of` has each rank's group, NULL where there are none. */
void tti_board_format(void *memory, const tti_board_shape *shape, const int *group_of);
/* Aims a view at it; the caller fills in node, comm, peers and wait. TUTTI_ERR_NO_MEMORY. A rank that comes
 * late may find in the memory what is of no board any more: nothing is written there, and what is read is
 * believed only where it makes sense, else TUTTI_ERR_STATE. */
int tti_board_attach(void *memory, const tti_board_shape *shape, int rank, tti_board **board);
/* This rank uses it no more: when nobody does, the memory may go. */
void tti_board_leave(tti_board *board);
/* Frees the view. */
void tti_board_free(tti_board *board);

static inline tti_cell *tti_board_result(const tti_board *board)
{
    return (tti_cell *)(void *)(board->results + board->phase * board->cell_stride);
}
static inline tti_lane_counts *tti_board_counts(const tti_board *board, int rank)
{
    return (tti_lane_counts *)(void *)(board->lanes + (size_t)rank * board->lane_stride);
}
static inline char *tti_board_lane_cell(const tti_board *board, int rank, size_t index)
{
    return (char *)(tti_board_counts(board, rank) + 1) + index * board->cell_stride;
}
/* A rank's cell of the operation under way. */
static inline tti_cell *tti_board_cell(const tti_board *board, int rank)
{
    const size_t index = (size_t)board->phase * board->shape.cells + board->used - 1;
    return (tti_cell *)(void *)tti_board_lane_cell(board, rank, index);
}
/* The buffers of block `number`. */
static inline unsigned char *tti_board_buffer(const tti_board *board, int rank, uint64_t number)
{
    char *cells = (char *)(tti_board_counts(board, rank) + 1);
    return (unsigned char *)cells + TTI_BOARD_PHASES * board->shape.cells * board->cell_stride +
           (number & 1) * board->shape.block;
}
static inline unsigned char *tti_board_part(const tti_board *board, int rank, uint64_t number)
{
    return tti_board_buffer(board, rank, number) + 2 * (size_t)board->shape.block;
}

/* -- board_meet.c, board_fill.c: operations, flags, waiting -- */
#define TTI_BOARD_BYTES_BITS 44
#define TTI_BOARD_KIND_BITS 60
#define TTI_BOARD_KINDS 7

/* Names a call, so that ranks that call differently find out: its kind, its signature and its size. Never 0.
 */
static inline uint64_t tti_board_mark(const tti_call_record *call)
{
    return (uint64_t)(call->collective + 1U) << TTI_BOARD_KIND_BITS |
           (uint64_t)tti_call_signature(call) << TTI_BOARD_BYTES_BITS | call->bytes;
}
static inline size_t tti_board_mark_bytes(uint64_t mark)
{
    return (size_t)(mark & ((UINT64_C(1) << TTI_BOARD_BYTES_BITS) - 1));
}

/* Nobody uses the board any more: `world_rank` died. */
void tti_board_give_up(tti_board *board, int world_rank);
/* Begins an operation: takes its cell, and shows which call it is. May synchronise. */
int tti_board_begin(tti_board *board, const tti_call_record *call);
/* Copies `bytes` of payload into the rank's own cell. */
void tti_board_bring(const tti_board *board, const void *from, size_t bytes);
/* Shows the rank's own cell, filled, to all. */
void tti_board_post(tti_board *board, uint64_t mark);
void tti_board_poke_others(const tti_board *board);
/* Makes the own cell of the next operation, of about so many bytes, quick to fill; `synced`: this one ends by
 * tti_board_synced(). */
void tti_board_prepare(const tti_board *board, bool synced, size_t bytes);
/* Waits for another rank's cell. */
int tti_board_await(tti_board *board, int rank);
int tti_board_await_cell(tti_board *board, const tti_cell *cell);
/* Waits for all others' cells; TUTTI_ERR_ARG, at every rank, if not all made the same call. */
int tti_board_await_all(tti_board *board, uint64_t mark);
/* Counted meeting: `last` is called at the rank that comes last, to fill in the result's data from
 * everybody's cells; the own one is filled, not posted. All find the result when this returns. TUTTI_ERR_ARG,
 * at every rank, if not all made the same call. */
int tti_board_meet(tti_board *board, uint64_t mark, void (*last)(tti_board *, void *), void *context);
/* The way of these two that fits the board: returns when all have filled their cells. */
int tti_board_gather(tti_board *board, uint64_t mark);
/* All are known to have begun this operation: their cells of former ones are free. Ends the operation. */
void tti_board_synced(tti_board *board);

/* Waits until a count of another rank's (all others') has come to `number`. */
int tti_board_await_filled(tti_board *board, int rank, uint64_t number);
int tti_board_await_all_filled(tti_board *board, uint64_t number);
int tti_board_await_all_done(tti_board *board, uint64_t number);
/* Tell all. */
void tti_board_fill_to(tti_board *board, uint64_t number);
void tti_board_done_to(tti_board *board, uint64_t number);

/* -- board_call.c: ranks that make different calls -- */
/* Shows the call that operation board->number is. */
void tti_board_show_call(tti_board *board, const tti_call_record *call);
/* A rank that will never raise what this rank waits for: it makes another call in which it does not,
 * went on without, or has finalized; -1 if none is known. */
int tti_board_absent(const tti_board *board);
/* As tti_awaits_fn, of whatever begins with a pointer to a board: the rank that is awaited, or all that have
 * yet to begin the operation. */
void tti_board_missing(const void *argument, tti_awaited *awaited);
/* TUTTI_ERR_ARG, naming both calls, or TUTTI_ERR_STATE for one that has finalized; the communicator is over
 * for collectives, since counts may be out of step. */
int tti_board_give_up_on(tti_board *board, int rank);
/* TUTTI_ERR_ARG: `rank`'s cell has another mark; after calls of different kinds the
 * communicator is over as well. `theirs` is 0 where it is only known that some made other calls. */
int tti_board_disagree(tti_board *board, int rank, uint64_t theirs);

/* -- board_open.c: the board of a communicator -- */
/* Makes it, together with all other ranks: called by all at the same place in the order of their collectives.
 * *board is NULL, at all of them, where it cannot be had. Under the lock. */
int tti_board_open(tutti_comm *comm, const char *call, tti_board **board);
void tti_board_close(tti_board *board);
/* The board in use of the communicator with that context, or NULL. */
tti_board *tti_board_of(uint64_t context);
/* Ends the use of boards of which `world_rank` is a member; in progress. */
void tti_board_lose(int world_rank);
/* Ends the use of a communicator's board by this rank, which tti_run_check_whole() then explains. */
void tti_board_drop(const tutti_comm *comm);
/* Gives back what has been waiting for others to leave; at finalize. */
void tti_boards_close(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of rma/ share: windows, and operations that are not over at once. All under the library's
 * lock. */
#ifndef TTI_RMA_WINDOW_H
#define TTI_RMA_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/list.h"
#include "runtime/fabric/fabric.h"
#include "runtime/p2p/p2p.h"
#include "runtime/request/request.h"
#include "tutti/rma.h"

/* A rank's part of a window as it tells the others; sent as it is (one version, one byte order). */
typedef struct {
    uint64_t address, bytes;
    uint64_t memory, memory_offset; /* tti_node_mem_map() id and place in it; 0: not mappable */
    tti_fabric_remote remote;
    uint32_t window;  /* its number at that rank */
    uint32_t exposed; /* `remote` holds */
    uint32_t failed;  /* 0, or 1 + a rank that cannot make its part */
    int32_t error;    /* why that rank cannot */
} tti_rma_part;

/* How a part is reached. */
enum tti_rma_way {
    TTI_RMA_UNKNOWN,
    TTI_RMA_DIRECT,  /* own or mapped: load and store */
    TTI_RMA_COPY,    /* tti_node_read() and tti_node_write() */
    TTI_RMA_FABRIC,  /* tti_fabric_read() and tti_fabric_write() */
    TTI_RMA_MESSAGES /* active messages */
};

typedef struct {
    char *direct; /* start of the part here, if DIRECT */
    uint32_t pending;
    int error; /* first of those that no call and no request reported */
    uint8_t way;
    bool mapped;  /* `direct` is from tti_node_mem_map() */
    bool ending;  /* the rank waits to hear that nothing is pending on its part */
    bool awaited; /* its word that nothing of its own is pending on this rank's part */
} tti_rma_peer_state;

struct tutti_window {
    tti_link link; /* among all windows */
    tutti_comm *comm;
    char *base;
    size_t bytes;
    uint32_t number;
    uint32_t pending;
    tti_fabric_region *region;
    tti_rma_part *parts; /* that of rank r is at (r - rank) mod size, as Bruck's exchange leaves them */
    tti_rma_peer_state *states; /* by rank */
};

static inline const tti_rma_part *tti_rma_part_of(const tutti_window *window, int target)
{
    const int place = target - window->comm->rank;
    return &window->parts[place >= 0 ? place : place + window->comm->size];
}

/* -- window_table.c -- */
/* All windows here, in the order in which they were made. */
extern tti_link tti_rma_windows;
/* Gives a new one its number, and puts it among all, until its link is taken out of the list. */
void tti_rma_window_enter(tutti_window *window);
/* The window of that number here, or NULL. */
tutti_window *tti_rma_window(uint32_t number);
/* The window here that has that number at another rank, which is `*rank` of its communicator; or NULL. */
tutti_window *tti_rma_window_of(int world_rank, uint32_t number, int *rank);
/* Whether any of that memory is a window's. */
bool tti_rma_memory_in_use(const char *base, size_t bytes);

/* -- window.c -- */
/* Finds out (once) how `target` is reached. */
enum tti_rma_way tti_rma_way_to(tutti_window *window, int target);
/* Called by operations that are over at once: a program that spins on them must let others' requests in. */
void tti_rma_let_in(void);
/* 0 if `bytes` at `offset` lie in the target's part, else an error for `call`. TUTTI_PROC_NULL passes. */
int tti_rma_check(const char *call, const tutti_window *window, int target, size_t offset, size_t bytes,
                  const void *local);

/* -- put_get.c -- */
/* Puts so that whatever message follows finds the data there; `local` may be reused. */
int tti_rma_put_ordered(tutti_window *window, const void *local, size_t bytes, int target, size_t offset);

/* -- atomic_ops.c -- */
/* Wakes the target, which may sleep in tutti_signal_wait() on what was combined here. */
void tti_rma_tell(tutti_window *window, int target);

/* -- rma_memory.c -- */
/* If all of it lies in memory of tutti_mem_alloc() that peers can map: its id and the place in it. */
bool tti_rma_memory_find(const char *base, size_t bytes, uint64_t *id, uint64_t *offset);
void tti_rma_memory_close(void);

/* -- window_exchange.c -- */
/* Hands `own` to all other ranks, and fills parts[0 … size - 1] with everybody's. Where a rank cannot make
 * its part (own->failed), `parts` may be NULL there; all ranks return its error then. */
int tti_rma_exchange(tutti_comm *comm, tti_rma_part *own, tti_rma_part *parts);
int tti_rma_barrier(tutti_comm *comm);

/* -- window_end.c -- */
/* Waits until no living rank has anything under way on this rank's part, nor ever will. */
void tti_rma_end_part(tutti_window *window, const char *call);
/* Nothing of this rank's is pending any more on a part that ends: tells the owner. */
void tti_rma_part_over(tutti_window *window, int target);
/* The window is made: parts may have ended meanwhile. */
void tti_rma_made(tutti_window *window);
void tti_rma_ends_open(void);
void tti_rma_ends_close(void);

/* -- operations that are not over at once: rma_op.c -- */
enum tti_rma_what {
    TTI_RMA_PUT,
    TTI_RMA_GET,
    TTI_RMA_COMBINE,
    TTI_RMA_FETCH,
    TTI_RMA_SWAP, /* operand: compare, then desired */
    TTI_RMA_SIGNAL
};

/* Who learns of the end. */
enum tti_rma_owner { TTI_RMA_NOBODY, TTI_RMA_REQUEST, TTI_RMA_CALL };

typedef struct {
    tutti_request request; /* first; used if owner is REQUEST */
    tti_link active;       /* among all of its peer */
    tti_link waiting;      /* among those that have something to send */
    tutti_window *window;
    int target;
    enum tti_rma_what what;
    enum tti_rma_owner owner;
    const char *from; /* what goes to the target */
    char *to;         /* where results go */
    size_t bytes;     /* of the target's memory */
    size_t sent, answered;
    uint64_t offset;
    tutti_type type;
    const tutti_op *op;
    uint64_t signal_offset, add;
    bool all_sent, over;
    bool fabric_busy; /* the fabric has it, and tells when it is over */
    int error;
    tti_fabric_op fabric;
    char bounce[]; /* copy of `from` */
} tti_rma_op;

/* A new one, counted at its window; NULL without memory, with the detail. `bounce` bytes are added. */
tti_rma_op *tti_rma_op_make(const char *call, tutti_window *window, int target, enum tti_rma_what what,
                            enum tti_rma_owner owner, size_t bounce);
/* Over: tells the owner. */
void tti_rma_op_finish(tti_rma_op *op, int error);
/* Waits (owner CALL) until it is over, frees it, and returns its error. */
int tti_rma_op_await(tti_rma_op *op, const char *call);
/* Waits until what it sends is copied: over or owned by nobody from then on. */
int tti_rma_op_await_sent(tti_rma_op *op, const char *call);
/* Text for an error that came from afar. */
int tti_rma_explain(const char *call, const tutti_window *window, int target, int error);

/* -- rma_transfer.c -- */
/* Starts it by active messages / over the fabric. From then on it ends by tti_rma_op_finish(). */
void tti_rma_start_messages(tti_rma_op *op);
void tti_rma_start_fabric(tti_rma_op *op, const char *call);
/* Ends all on the window with TUTTI_ERR_PEER_FAILED: at once, or as soon as the fabric lets go of them. */
void tti_rma_abandon(const tutti_window *window);
int tti_rma_transfers_open(int ranks);
void tti_rma_transfers_close(void);
/* The target's half: what came, and how the answer goes. */
bool tti_rma_request_arrived(int world_rank, const void *payload, size_t bytes);

/* The messages. A request is answered by exactly one reply, in order, so replies need no numbers. The last
 * two have the number of the window at the rank whose part ends. */
typedef struct {
    uint32_t window;
    uint32_t what;
    uint64_t offset, bytes;
    uint64_t type;
    uint64_t op;
    uint64_t signal_offset, add;
} tti_rma_request_head;
typedef struct {
    int32_t error;
    uint32_t bytes; /* of the result that follows */
} tti_rma_reply_head;
#define TTI_RMA_CHUNK (TTI_AM_MAX - sizeof(tti_rma_request_head))

#endif

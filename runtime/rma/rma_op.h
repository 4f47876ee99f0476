/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that are not over at once. */
#ifndef TTI_RMA_OP_H
#define TTI_RMA_OP_H

#include "runtime/request/request.h"
#include "runtime/rma/rma_messages.h"
#include "runtime/rma/window_state.h"

/* Who learns of the end. */
enum tti_rma_owner { TTI_RMA_NOBODY, TTI_RMA_REQUEST, TTI_RMA_CALL, TTI_RMA_DOUBT };

typedef struct tti_rma_op tti_rma_op;
struct tti_rma_op {
    tutti_request request; /* first; used if owner is REQUEST */
    tti_link pending;      /* among all on the same part */
    tti_link active;       /* among all of its peer */
    tti_link waiting;      /* among those that have something to send, or that the fabric has */
    tutti_window *window;
    uint64_t number; /* so many have begun on the window by then */
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
    bool unmapped;    /* what it needs of the target's memory is not there */
    int error;        /* before it is over: what it ends with, whatever becomes of it */
    int64_t since_ns; /* the fabric has it, or the target said last that the memory is there */
    tti_rma_op
        *other; /* of one that the fabric has: the question about it; of a question: what it is about */
    void (*ended)(tti_rma_op *op, int error); /* if owner is DOUBT, which frees it */
    tti_fabric_op fabric;
    char bounce[]; /* copy of `from` */
};

/* A new one, counted at its window; NULL without memory, with the detail. `bounce` bytes are added. */
tti_rma_op *tti_rma_op_make(const char *call, tutti_window *window, int target, enum tti_rma_what what,
                            enum tti_rma_owner owner, size_t bounce);
/* Whether all that had begun on rank `target`'s part by operation number `last` of the window is over: what
 * begins meanwhile may go on for ever, and nobody may wait for its end. */
bool tti_rma_ops_over(const tutti_window *window, int target, uint64_t last);
/* Over: tells the owner. */
void tti_rma_op_finish(tti_rma_op *op, int error);
/* Waits (owner CALL) until it is over, frees it, and returns its error. */
int tti_rma_op_await(tti_rma_op *op, const char *call);
/* Waits until what it sends is copied: over or owned by nobody from then on. */
int tti_rma_op_await_sent(tti_rma_op *op, const char *call);
/* Text for its error. */
int tti_rma_op_explain(const tti_rma_op *op, const char *call);
/* Text for an error that came from afar. */
int tti_rma_explain(const char *call, const tutti_window *window, int target, int error);

#endif

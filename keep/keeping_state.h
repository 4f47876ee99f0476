/* SPDX-License-Identifier: BSD-3-Clause */
/* One version being made, from the inside: what is under way, and the messages of which the vote waits for
 * all. Under the lock. */
#ifndef TTI_KEEP_KEEPING_STATE_H
#define TTI_KEEP_KEEPING_STATE_H

#include "collectives/agree/agreements.h"
#include "keep/store.h"
#include "keep/work.h"
#include "runtime/node/lasting.h"
#include "runtime/p2p/compare.h"
#include "runtime/p2p/p2p.h"
#include "runtime/request/request.h"

typedef struct tti_keeping tti_keeping;
typedef struct tti_parity tti_parity;

typedef struct {
    tti_p2p_op op; /* first */
    tti_keeping *of;
} tti_keep_message;

/* What goes before a piece. */
typedef struct {
    uint64_t name; /* a hash: ranks that keep different things hear of it */
    uint64_t bytes;
    uint64_t has_none;       /* the rank had no memory for it */
    tti_node_lasting shared; /* memory that holds the piece; else it comes as a message */
} tti_keep_head;

struct tti_keeping {
    tutti_request base; /* first; of a blocking call only its state and status are used */
    tti_agree_call call;
    tti_comparison comparison;
    tti_keep_work copying;
    tti_keep *keep;
    tutti_comm *comm;
    const char *name; /* of the call */
    const void *buffer;
    size_t bytes;
    bool is_request;
    int tag;        /* of heads; that of data is the next one */
    uint64_t stamp; /* of the version */
    size_t copied;
    int pending; /* messages and copies under way, and whoever may begin others */
    int code;    /* why this rank votes against the version, or 0 */
    tti_keep_head own, wards;
    tti_keep_message head_out, head_in, data_out, data_in;
    tti_parity *parity; /* NULL: there are copies */
};

/* What ranks vote, and the agreement says of all. */
#define TTI_KEEP_ALL_HAVE 1U   /* this rank's piece, and its ward's */
#define TTI_KEEP_NONE_SHORT 2U /* of memory */
#define TTI_KEEP_SAME_NAME 4U
#define TTI_KEEP_NONE_BROKEN 8U /* by what is none of these, no death, and no revoking */

/* Each message that is under way, and whatever else the vote waits for, is counted in `pending` and let go at
 * its end; the machine may be gone after that. */
void tti_keeping_fail(tti_keeping *keeping, int code);
void tti_keeping_let_go(tti_keeping *keeping);
/* Whether a rank with this code votes that something is broken. */
bool tti_keeping_is_broken(int code);
/* The message's `op.done` is set, and lets go. */
void tti_keeping_send(tti_keep_message *message, const void *from, size_t bytes, int to, int tag);
void tti_keeping_take(tti_keep_message *message, void *to, size_t bytes, int from, int tag);
/* Such a one, of a message to a rank whose death is no matter. */
void tti_keeping_sent(tti_p2p_op *op);
/* The error of a head that came, or did not. */
int tti_keeping_check_head(const tti_keeping *keeping, const tti_p2p_op *op, const tti_keep_head *head);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of operations on a window. */
#ifndef TTI_RMA_MESSAGES_H
#define TTI_RMA_MESSAGES_H

#include <stdint.h>

#include "runtime/p2p/p2p.h"

enum tti_rma_what {
    TTI_RMA_PUT,
    TTI_RMA_GET,
    TTI_RMA_COMBINE,
    TTI_RMA_FETCH,
    TTI_RMA_SWAP, /* operand: compare, then desired */
    TTI_RMA_SIGNAL,
    TTI_RMA_ASK /* whether the memory is there */
};

/* A request is answered by exactly one reply, in order, so replies need no numbers. */
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives straight on shared memory. Blocking; each is called by all ranks of the board in the same order
 * with the same shape. Each returns 0, TUTTI_ERR_PEER_FAILED (for ever, once a rank of the board is lost) or
 * TUTTI_ERR_ARG. Under the library's lock.
 *
 * Ranks that call the same collective with different sizes, types, operations or roots get TUTTI_ERR_ARG
 * wherever another's call is seen without further waiting: allreduce, allgather   every rank; bcast a rank
 * whose call is not the root's; reduce                 the root, and the ranks whose contribution does not
 * fit a cell. Buffers of failed calls may have been written, never beyond the rank's own size; the board
 * stays usable. So it does where one calls an allreduce and another an allgather. After any other mix
 * of collectives, and of bcasts with different roots, who waits for a rank that will not come gets
 * TUTTI_ERR_ARG within about a second, and the communicator is over for collectives. Who need not wait for
 * anybody (the root of a bcast, a rank that is not the root of a small reduce) is told nothing;
 * TUTTI_VERIFY=calls tells everything. */
#ifndef TTI_COLLECTIVES_NODE_COLLECTIVES_H
#define TTI_COLLECTIVES_NODE_COLLECTIVES_H

#include "collectives/node/board.h"
#include "tutti/types.h"

/* What is reduced. `input` is NULL where the contribution is in `output`. */
typedef struct {
    const unsigned char *input;
    unsigned char *output; /* of reduce: at the root alone */
    size_t count, element; /* elements, and bytes of one */
    tutti_type type;
    tutti_op *op;
} tti_reduction;

static inline tti_call_record tti_reduction_record(const tti_reduction *r, enum tti_collective collective,
                                                   int root)
{
    return (tti_call_record){.bytes = r->count * r->element,
                             .type = r->type,
                             .root = (uint32_t)root,
                             .collective = (uint8_t)collective,
                             .op = tti_call_op_number(r->op)};
}

/* Larger elements do not fit the blocks: such a call goes by messages. */
#define TTI_BOARD_ELEMENT_MOST 256

int tti_node_bcast(tti_board *board, unsigned char *buf, size_t bytes, int root);
int tti_node_reduce(tti_board *board, const tti_reduction *r, int root);
int tti_node_allreduce(tti_board *board, const tti_reduction *r);
/* `in` is NULL where the contribution is at its place in `out`. */
int tti_node_allgather(tti_board *board, const unsigned char *in, unsigned char *out, size_t bytes);

#endif

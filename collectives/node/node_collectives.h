/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives straight on shared memory. Blocking; each is called by all ranks of the board in the same order
 * with the same shape. 0, or TUTTI_ERR_ARG where they were called with different shapes (the board stays
 * usable), TUTTI_ERR_PEER_FAILED, TUTTI_ERR_NO_MEMORY. Under the library's lock. */
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

/* Larger elements do not fit the blocks: such a call goes by messages. */
#define TTI_BOARD_ELEMENT_MOST 256

int tti_node_barrier(tti_board *board);
int tti_node_bcast(tti_board *board, unsigned char *buf, size_t bytes, int root);
int tti_node_reduce(tti_board *board, const tti_reduction *r, int root);
int tti_node_allreduce(tti_board *board, const tti_reduction *r);
/* `in` is NULL where the contribution is at its place in `out`. */
int tti_node_allgather(tti_board *board, const unsigned char *in, unsigned char *out, size_t bytes);

#endif

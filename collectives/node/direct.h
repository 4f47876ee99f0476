/* SPDX-License-Identifier: BSD-3-Clause */
/* Large operations on buffers that all ranks offered (offer.h): nothing passes through the lanes. Each is
 * called after the offers were seen, and returns when nobody touches the caller's buffers any more. An
 * operation done so counts as one block. */
#ifndef TTI_COLLECTIVES_DIRECT_H
#define TTI_COLLECTIVES_DIRECT_H

#include "collectives/node/board_blocks.h"
#include "collectives/node/node_collectives.h"

/* Every rank reduces its part from all inputs, and puts the result into all outputs (`root` < 0) or one. */
int tti_direct_reduce(tti_board *board, const tti_reduction *r, int root);
/* Every rank copies the others' inputs. */
int tti_direct_allgather(tti_board *board, unsigned char *out, size_t bytes);
/* Copies the root's offered buffer. */
int tti_direct_bcast(tti_board *board, unsigned char *buf, size_t bytes, int root);

/* What such an operation counts as. */
static const tti_blocks tti_direct_block = {.count = 1};
/* This rank is done with the others' buffers: waits until they are with its own. */
int tti_direct_end(tti_board *board);
/* The same where nobody touches its own. */
int tti_direct_leave(tti_board *board);
/* This rank cannot do its part, for `code`, which it returns: the others do not wait for it. (Of a rank that
 * died they hear anyway.) */
int tti_direct_fail(tti_board *board, int code);

#endif

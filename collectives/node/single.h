/* SPDX-License-Identifier: BSD-3-Clause */
/* Large operations by copies straight from one rank's memory to another's (reach.h): nothing passes
 * through the lanes, and no bytes are copied twice. Each is called after the cells that say where the buffers
 * are (offer.h) were seen, and returns when nobody touches the caller's buffers any more. */
#ifndef TTI_COLLECTIVES_SINGLE_H
#define TTI_COLLECTIVES_SINGLE_H

#include "collectives/node/board_blocks.h"
#include "collectives/node/node_collectives.h"

/* Whether a call of that many bytes goes this way, at every rank, unless all offer memory that can be mapped.
 * Not of ranks that take turns on a core, whose blocks stay in its cache; but a reduce does: it spares the
 * root, for which all wait, half of its copies. */
bool tti_single_fits(const tti_board *board, enum tti_crossing_collective collective, size_t bytes);

/* Every rank reduces its part; then it copies the others' parts, or puts its own into the root's output. */
int tti_single_allreduce(tti_board *board, const tti_reduction *r);
int tti_single_reduce(tti_board *board, const tti_reduction *r, int root);
/* The part of a rank that cannot map what the others offer (tti_direct_reduce()): into one output, or all. */
int tti_single_reduce_for(tti_board *board, const tti_reduction *r, int root);
int tti_single_allgather(tti_board *board, unsigned char *out, size_t bytes);
/* Also of the root. All others have posted where their buffers are if they call the same. */
int tti_single_bcast(tti_board *board, unsigned char *buf, size_t bytes, int root);

#endif

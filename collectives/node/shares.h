/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a large reduction of which every rank does its part, block by block. */
#ifndef TTI_NODE_SHARES_H
#define TTI_NODE_SHARES_H

#include "collectives/node/board_blocks.h"
#include "collectives/node/combine.h"

typedef struct {
    const tti_reduction *r;
    const tti_blocks *blocks;
} tti_shares;

/* Copies what others reduce of block k into the own buffer. Of the first block the others hear by the meeting
 * that follows, of all else at once. */
int tti_shares_fill(tti_board *board, const tti_shares *shares, size_t k);
/* Fills the first block after the meeting, at a rank that has offered its buffers in vain. */
int tti_shares_fill_late(tti_board *board, const tti_shares *shares);
/* Reduces the own part of block k, once all have filled it, for all to see and, if `to` is not NULL, into its
 * place in the block at `to`. */
int tti_shares_reduce(tti_board *board, const tti_shares *shares, size_t k, unsigned char *to);
/* Copies the others' parts of block k into the output, once they are reduced. */
int tti_shares_collect(tti_board *board, const tti_shares *shares, size_t k);

#endif

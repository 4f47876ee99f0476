/* SPDX-License-Identifier: BSD-3-Clause */
/* How the channel is divided among the ranks: columns × rows of blocks, one each. */
#ifndef FLOW_BLOCKS_H
#define FLOW_BLOCKS_H

#include <stdbool.h>

struct block {
    int channel_width, channel_height;
    int columns, rows; /* blocks across and down */
    int column, row;   /* this rank's */
    int x, y;          /* its first cell in the channel */
    int width, height; /* its cells */
};

/* Divides the channel among `size` ranks with the shortest borders; sets the block of `rank`. False if some
 * block would be smaller than 4 cells. */
bool block_divide(int channel_width, int channel_height, int rank, int size, struct block *block);

/* Rank of the neighbour dx, dy ∈ {-1, 0, 1} away, or TUTTI_PROC_NULL at the channel's edge. */
int block_neighbour(const struct block *block, int dx, int dy);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/blocks.h"

#include <tutti/types.h>

#include "examples/common/cuts.h"

#define SIDE_LEAST 4

bool block_divide(int channel_width, int channel_height, int rank, int size, struct block *b)
{
    long shortest = -1;
    for (int columns = 1; columns <= size; columns++) {
        const int rows = size / columns;
        if (columns * rows != size) continue;
        if (channel_width / columns < SIDE_LEAST || channel_height / rows < SIDE_LEAST) continue;
        const long border = (long)(columns - 1) * channel_height + (long)(rows - 1) * channel_width;
        if (shortest >= 0 && border >= shortest) continue;
        shortest = border;
        b->columns = columns;
        b->rows = rows;
    }
    if (shortest < 0) return false;
    b->channel_width = channel_width;
    b->channel_height = channel_height;
    b->column = rank % b->columns;
    b->row = rank / b->columns;
    b->x = share_begin(channel_width, b->columns, b->column);
    b->y = share_begin(channel_height, b->rows, b->row);
    b->width = share_begin(channel_width, b->columns, b->column + 1) - b->x;
    b->height = share_begin(channel_height, b->rows, b->row + 1) - b->y;
    return true;
}

int block_neighbour(const struct block *b, int dx, int dy)
{
    const int column = b->column + dx, row = b->row + dy;
    if (column < 0 || column >= b->columns || row < 0 || row >= b->rows) return TUTTI_PROC_NULL;
    return row * b->columns + column;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Where things are on a board. */
#include <stdlib.h>
#include <string.h>

#include "collectives/node/tiers.h"
#include "runtime/base/status.h"

#define PAGE 4096

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* An odd number of lines, so that the same cell of all lanes does not fall into the same set of a cache. */
static size_t cell_stride(const tti_board_shape *shape)
{
    const size_t bytes = round_up(sizeof(tti_cell) + shape->cell_bytes, TTI_BOARD_LINE);
    return (bytes / TTI_BOARD_LINE | 1) * TTI_BOARD_LINE;
}

static size_t lane_stride(const tti_board_shape *shape)
{
    const size_t cells = TTI_BOARD_PHASES * shape->cells * cell_stride(shape),
                 buffers = 4 * (size_t)shape->block;
    const size_t planes = shape->groups > 0 ? 1 + TTI_TIERS : 1;
    return round_up(sizeof(tti_lane_counts) + planes * cells + buffers, PAGE) + TTI_BOARD_LINE;
}

static size_t groups_at(const tti_board_shape *shape)
{
    return round_up(sizeof(tti_board_head), TTI_BOARD_LINE) + TTI_BOARD_PHASES * cell_stride(shape);
}

static size_t lanes_at(const tti_board_shape *shape)
{
    return round_up(groups_at(shape) + (shape->groups > 0 ? shape->ranks * sizeof(int) : 0), PAGE);
}

tti_board_shape tti_board_shape_for(int ranks, bool crowded)
{
    return (tti_board_shape){
        .ranks = (uint32_t)ranks,
        .cells = 16,
        .cell_bytes = 8192,
        .block = crowded ? 256 << 10 : 64 << 10,
        .crowded = crowded,
    };
}

size_t tti_board_bytes(const tti_board_shape *shape)
{
    return lanes_at(shape) + shape->ranks * lane_stride(shape);
}

void tti_board_format(void *memory, const tti_board_shape *shape, const int *group_of)
{
    tti_board_head *head = memory;
    atomic_store(&head->users, shape->ranks);
    if (shape->groups > 0)
        memcpy((char *)memory + groups_at(shape), group_of, shape->ranks * sizeof *group_of);
}

static int allocate(tti_board *made, size_t ranks)
{
    made->scratch = aligned_alloc(TTI_BOARD_LINE, TTI_BOARD_SCRATCH + 2 * TTI_BOARD_FETCHED);
    made->peers = malloc(ranks * sizeof *made->peers);
    made->maps = calloc(2 * ranks, sizeof *made->maps);
    made->tiers.leaders = malloc(3 * ranks * sizeof *made->tiers.leaders);
    if (made->scratch != NULL && made->peers != NULL && made->maps != NULL && made->tiers.leaders != NULL)
        return 0;
    return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the view of a communicator's shared memory");
}

int tti_board_attach(void *memory, const tti_board_shape *shape, int rank, tti_board **board)
{
    tti_board *made = calloc(1, sizeof *made);
    if (made == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a communicator's shared memory");
    int code = allocate(made, shape->ranks);
    if (code < 0) {
        tti_board_free(made);
        return code;
    }
    made->fetched = made->scratch + TTI_BOARD_SCRATCH;
    made->sum = made->fetched + TTI_BOARD_FETCHED;
    made->head = memory;
    made->shape = *shape;
    made->small = shape->cell_bytes;
    made->rank = rank;
    made->size = (int)shape->ranks;
    made->cell_stride = cell_stride(shape);
    made->lane_stride = lane_stride(shape);
    made->results = (char *)round_up((size_t)(made->head + 1), TTI_BOARD_LINE);
    made->lanes = (char *)memory + lanes_at(shape);
    if (shape->groups > 0)
        code = tti_tiers_aim(made, (const int *)(const void *)((char *)memory + groups_at(shape)));
    if (code == 0)
        *board = made;
    else
        tti_board_free(made);
    return code;
}

void tti_board_leave(tti_board *board)
{
    atomic_store(&tti_board_counts(board, board->rank)->left, 1);
    atomic_fetch_sub(&board->head->users, 1);
}

void tti_board_free(tti_board *board)
{
    if (board == NULL) return;
    free(board->tiers.leaders);
    free(board->maps);
    free(board->peers);
    free(board->scratch);
    free(board);
}

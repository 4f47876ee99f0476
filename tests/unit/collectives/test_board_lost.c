/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that died: whoever waits for it on a board is told so, asleep or not, and nobody begins again. */
#include <unistd.h>

#include "tests/unit/collectives/board_ranks.h"

#define RANKS 3
#define DEAD 2
#define BLOCK 64

static tti_board_shape shape = {.ranks = RANKS, .cells = 3, .cell_bytes = 8, .block = BLOCK};
static void *memory;
static int way; /* what the survivors wait in */

static int wait_in(tti_board *board)
{
    unsigned char in[3 * BLOCK] = {1}, out[3 * BLOCK * RANKS];
    const tti_reduction small = {in, out, 1, 8, TUTTI_INT64, TUTTI_SUM};
    const tti_reduction large = {in, out, sizeof in / 8, 8, TUTTI_INT64, TUTTI_SUM};
    switch (way) {
    case 0: return tti_node_bcast(board, out, 8, DEAD);
    case 1: return tti_node_bcast(board, out, sizeof in, DEAD);
    case 2: return tti_node_reduce(board, &large, 0);
    case 3: return tti_node_allreduce(board, &small);
    case 4: return tti_node_allreduce(board, &large);
    case 5: return tti_node_allgather(board, in, out, 8);
    case 6: return tti_node_allgather(board, in, out, sizeof in);
    default: return 1;
    }
}

/* The dead one's board says so, as the rank that hears of a death first does. */
static void die(tti_board *board)
{
    usleep(2000);
    atomic_store(&board->head->lost, DEAD + 1);
    for (int r = 0; r < RANKS; r++)
        tti_node_poke(board->node, r);
}

static void survive_or_die(tti_node *node)
{
    tti_board *board = view_board(memory, &shape, node, false);
    if (node->index == 1) board->wait = wait_by_yielding;
    unsigned char all[RANKS];
    EXPECT(tti_node_allgather(board, all, all, 0) == 0);
    if (board->rank == DEAD) {
        die(board);
    } else {
        EXPECT(wait_in(board) == TUTTI_ERR_PEER_FAILED);
        EXPECT(strstr(tutti_error_detail(), "rank 2") != NULL);
        EXPECT(wait_in(board) == TUTTI_ERR_PEER_FAILED);
    }
    tti_board_free(board);
}

/* A rank that comes late may find memory that is somebody else's by then. */
static void find_anything(void)
{
    const tti_board_shape grouped = {
        .ranks = RANKS, .cells = 2, .cell_bytes = 8, .block = BLOCK, .groups = 2};
    const size_t bytes = tti_board_bytes(&grouped);
    unsigned char *anything = aligned_alloc(TTI_BOARD_LINE, (bytes / TTI_BOARD_LINE + 1) * TTI_BOARD_LINE);
    tti_board *board;
    EXPECT(anything != NULL);
    for (int byte = 1; byte < 256; byte++) {
        memset(anything, byte, bytes);
        EXPECT(tti_board_attach(anything, &grouped, 1, &board) == TUTTI_ERR_STATE);
        for (size_t i = 0; i < bytes; i++)
            EXPECT(anything[i] == byte);
    }
    memset(anything, 0, bytes); /* given back, and nobody's */
    EXPECT(tti_board_attach(anything, &grouped, 1, &board) == 0 && board->size == RANKS);
    tti_board_free(board);
    free(anything);
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    find_anything();
    const tti_node_shape nodes = tti_node_shape_for(RANKS);
    const int group_of[RANKS] = {0, 1, 1}; /* its leader waits for the dead one, and for its leader rank 0 */
    for (int i = 0; i < 21; i++) {
        way = i / 3;
        shape.crowded = i % 3 == 1;
        shape.groups = i % 3 == 2 ? 2 : 0;
        memory = new_board(&shape, group_of);
        run_ranks(&nodes, survive_or_die);
        free(memory);
    }
    return 0;
}

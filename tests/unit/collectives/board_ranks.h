/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads as the ranks of boards. */
#ifndef TESTS_UNIT_BOARD_RANKS_H
#define TESTS_UNIT_BOARD_RANKS_H

#include <string.h>

#include "collectives/node/node_collectives.h"
#include "tests/unit/node/stress.h"

/* A board in memory of this process. */
static inline void *new_board(const tti_board_shape *shape, const int *group_of)
{
    const size_t bytes = (tti_board_bytes(shape) + 4095) / 4096 * 4096;
    void *memory = aligned_alloc(4096, bytes);
    EXPECT(memory != NULL);
    memset(memory, 0, bytes);
    tti_board_format(memory, shape, group_of);
    return memory;
}

static inline int wait_by_yielding(tti_board *board, tti_board_ready_fn *ready, const void *argument)
{
    (void)board;
    while (!ready(argument))
        sched_yield();
    return 0;
}

/* As a job's rank sleeps: it must be woken by whatever it waits for. */
static inline int wait_by_sleeping(tti_board *board, tti_board_ready_fn *ready, const void *argument)
{
    for (bool is_ready = false; !is_ready;) {
        tti_node_arm(board->node);
        is_ready = ready(argument);
        if (!is_ready) sleep_until_woken(board->node, -1);
        tti_node_disarm(board->node);
    }
    return 0;
}

/* The view of thread `node`; on a turned board the last thread is rank 0. */
static inline tti_board *view_board(void *memory, const tti_board_shape *shape, tti_node *node, bool turned)
{
    tti_board *board;
    const int last = node->ranks - 1;
    EXPECT(tti_board_attach(memory, shape, turned ? last - node->index : node->index, &board) == 0);
    board->node = node;
    board->call = "test";
    board->wait = wait_by_sleeping;
    for (int r = 0; r < board->size; r++)
        board->peers[r] = turned ? last - r : r;
    return board;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* WINDOWs that differ from node to node, as they do in jobs: those of a node depend on the number of its
 * ranks; where there is one, or where no set of them was free, there are none; and nobody knows of another
 * node's. The checker is told the largest, so what each rank keeps to is looked at here. */
#ifndef TESTS_PROOF_NODE_WINDOWS_H
#define TESTS_PROOF_NODE_WINDOWS_H

#include "collectives/compose/window_blocks.h"
#include "tests/unit/expect.h"

/* The shape of one rank gets its node's WINDOW: up to as much as the shape has. */
static inline void node_windows_give(tti_shape *own)
{
    static const size_t parts[] = {1, 0, 3, 2}; /* of these so many of it; 0: none */
    const int node = own->nodes->node_of[own->rank], ranks = tti_node_ranks(own->nodes, node);
    const size_t part = parts[((size_t)node + own->count + (size_t)own->size) % 4];
    own->window = part > 0 ? own->window / part : 0;
    if (ranks == 1 || !tti_window_holds(own, ranks)) own->window = 0;
    if (own->window == 0) own->beside = 0;
}

static inline bool node_windows_is_shared(const tti_step *step)
{
    return tti_step_is_meeting(step) || step->kind == TTI_STEP_PUT || tti_step_reads_peer(step);
}

/* The rank must use no more than it has, and where it has none, do nothing with others but by messages. */
static inline void node_windows_look_at(const tti_shape *own, const tti_schedule *schedule)
{
    EXPECT(schedule->window <= own->window);
    for (int i = 0; own->window == 0 && i < schedule->count; i++)
        EXPECT(!node_windows_is_shared(&schedule->steps[i]));
}

#endif

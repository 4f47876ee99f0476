/* SPDX-License-Identifier: BSD-3-Clause */
/* What the collectives keep with a communicator: plans, which ranks share a node, the board. Made at the
 * first collective, freed with the communicator. Under the lock. */
#ifndef TTI_COLLECTIVES_COMM_CACHE_H
#define TTI_COLLECTIVES_COMM_CACHE_H

#include "collectives/execute/windows.h"
#include "collectives/node/board.h"
#include "collectives/patterns/node_map.h"
#include "runtime/base/list.h"

enum tti_board_state { TTI_BOARD_UNTRIED, TTI_BOARD_OPENING, TTI_BOARD_TRIED };

typedef struct {
    tti_link plans; /* most recently used first */
    int count;
    tti_node_map *nodes; /* NULL where it does not help */
    enum tti_board_state board_state;
    tti_board *board;     /* NULL where there is none */
    tti_windows *windows; /* of the ranks on this node; NULL where there are none */
    bool acquainted;      /* it has had its first blocking call, from which on */
    bool crowded;         /* all know whether they share processors */
} tti_comm_cache;

/* NULL if memory is out. */
tti_comm_cache *tti_comm_cache_get(tutti_comm *comm);
/* Whether the communicator is of several ranks, all on this node. */
bool tti_comm_on_node(const tutti_comm *comm);

#endif

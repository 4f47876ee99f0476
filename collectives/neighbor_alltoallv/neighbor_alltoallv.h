/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of neighbor_alltoallv, and of neighbor_alltoallw, which exchanges parts as well. */
#ifndef TTI_NEIGHBOR_ALLTOALLV_H
#define TTI_NEIGHBOR_ALLTOALLV_H

#include "collectives/neighbor_alltoall/neighbor_alltoall.h"

TTI_NEIGHBOR_ALGORITHM(direct, false)
TTI_NEIGHBOR_ALGORITHM(window, false)
TTI_NEIGHBOR_ALGORITHM(blocks, false)
TTI_NEIGHBOR_ALGORITHM(by_node_v, false)

static const tti_algorithm tti_neighbor_alltoallv_algorithms[] = {
    {"direct", direct, 0, "one message along each edge"},
    {"window", window, TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK, TTI_NEIGHBOR_WINDOW},
    {"blocks", blocks, TTI_NEEDS_WINDOW | TTI_SHARES_WINDOW | TTI_PASSES_BLOCKS | TTI_TAKES_CHUNK,
     TTI_NEIGHBOR_BLOCKS},
    {"by_node", by_node_v,
     TTI_NEEDS_NODES | TTI_NEEDS_OFFSETS | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     TTI_NEIGHBOR_SHORT_BY_NODE},
};

static const tti_default_row tti_neighbor_alltoallv_defaults[] = {
    {4, TTI_ANY_BYTES, "by_node", 0, TTI_KIB(128), "over several nodes short parts that share messages"},
    {16, TTI_ANY_BYTES, "by_node", 0, TTI_KIB(64), "over several nodes short parts that share messages"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node", 0, TTI_KIB(32),
     "over several nodes short parts that share messages"},
    {2, TTI_ANY_BYTES, "blocks", 0, TTI_MIB(1), "two ranks of a node: until messages are fetched"},
    {TTI_TWICE(TTI_ANY_RANKS), TTI_ANY_BYTES, "blocks", 0, TTI_MIB(64), "on one node: one copy in, one out"},
    {4, TTI_ANY_BYTES, "window", 0, TTI_KIB(128), "on a node small parts through its memory"},
    {16, TTI_ANY_BYTES, "window", 0, TTI_KIB(64), "on a node small parts through its memory"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window", 0, TTI_KIB(32), "on a node small parts through its memory"},
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of scan, and of exscan, which has the same algorithms: without the caller's own in results. */
#ifndef TTI_SCAN_H
#define TTI_SCAN_H

#include "collectives/compose/prefix.h"
#include "collectives/contract/contract.h"

/* The algorithm of that name. */
#define TTI_SCAN_ALGORITHM(NAME, INCLUSIVE)                                                                  \
    static void NAME(const tti_shape *shape, tti_builder *builder)                                           \
    {                                                                                                        \
        tti_prefix_##NAME(shape, builder, INCLUSIVE);                                                        \
    }

/* All of them, and `algorithms`, their table. */
#define TTI_SCAN_ALGORITHMS(INCLUSIVE)                                                                       \
    TTI_SCAN_ALGORITHM(doubling, INCLUSIVE)                                                                  \
    TTI_SCAN_ALGORITHM(chain, INCLUSIVE)                                                                     \
    TTI_SCAN_ALGORITHM(by_node, INCLUSIVE)                                                                   \
    TTI_SCAN_ALGORITHM(window, INCLUSIVE)                                                                    \
    TTI_SCAN_ALGORITHM(passed, INCLUSIVE)                                                                    \
    TTI_SCAN_ALGORITHM(shown, INCLUSIVE)                                                                     \
    static const tti_algorithm algorithms[] = {                                                              \
        {"doubling", doubling, TTI_TAKES_RADIX, "sums of k times as many ranks each round"},                 \
        {"chain", chain, TTI_TAKES_CHUNK, "chunks along a chain of all ranks"},                              \
        {"by_node", by_node, TTI_TAKES_RADIX | TTI_NEEDS_NODES | TTI_TAKES_WINDOW,                           \
         "inside each node, doubling among the last ranks of nodes"},                                        \
        {"window", window, TTI_NEEDS_WINDOW, "on shared memory, each combines what it needs"},               \
        {"passed", passed, TTI_NEEDS_WINDOW | TTI_TAKES_CHUNK,                                               \
         "on shared memory, sums pass along a chain of all ranks"},                                          \
        {"shown", shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH,                                                 \
         "each combines what it needs out of others' buffers"},                                              \
    };

static const tti_default_row tti_scan_defaults[] = {
    {2, TTI_KIB(4), "window", 0, 0, "two ranks of a node, small: no reading in buffers"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both have mapped: one copy"},
    {2, TTI_ANY_BYTES, "doubling", 2, 0, "two ranks: one message, a long one copied by both"},
    {64, TTI_KIB(64), "window", 0, 0, "on one node: each combines what it needs"},
    {4, TTI_ANY_BYTES, "passed", 0, TTI_KIB(32), "large, on one node: each rank combines once"},
    {16, TTI_ANY_BYTES, "passed", 0, TTI_KIB(16), "large, on one node: each rank combines once"},
    {64, TTI_ANY_BYTES, "passed", 0, TTI_MIB(64), "large, on one node: each rank combines once"},
    {128, TTI_KIB(1), "window", 0, 0, "on one node, small: one passage"},
    {TTI_ANY_RANKS, TTI_KIB(64), "by_node", 2, 0,
     "several ranks a node: one contribution a node on the network"},
    {TTI_ANY_RANKS, TTI_KIB(32), "doubling", 2, 0, "small: fewest rounds"},
    {8, TTI_MIB(1), "chain", 0, TTI_KIB(64), "large, few ranks: each combines once"},
    {TTI_ANY_RANKS, TTI_MIB(1), "by_node", 2, 0,
     "several ranks a node: one contribution a node on the network"},
    {16, TTI_MIB(1), "chain", 0, TTI_KIB(64), "large: each rank combines once"},
    {16, TTI_ANY_BYTES, "chain", 0, TTI_KIB(256), "very large: each rank combines once"},
    {TTI_ANY_RANKS, TTI_MIB(1), "doubling", 2, 0, "many ranks: rounds cost more than bandwidth"},
    {128, TTI_ANY_BYTES, "chain", 0, TTI_KIB(64), "very large: each rank combines once"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "doubling", 2, 0, "very many ranks: fewest rounds"},
};

#endif

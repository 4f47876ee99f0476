/* SPDX-License-Identifier: BSD-3-Clause */
/* The root's bytes arrive at every rank. The one buffer is OUTPUT. */
#include "collectives/bcast/bcast.h"

#include "collectives/calls/forms.h"

TTI_CONTENTS int before(const tti_shape *shape, int index, tti_content *content)
{
    (void)index;
    *content = tti_content_at(tti_place_at(TTI_OUTPUT, 0), shape, shape->root, shape->root);
    return shape->rank == shape->root ? 1 : 0;
}

TTI_CONTENTS int after(const tti_shape *shape, int index, tti_content *content)
{
    (void)index;
    *content = tti_content_at(tti_place_at(TTI_OUTPUT, 0), shape, shape->root, shape->root);
    return 1;
}

static const tti_algorithm algorithms[] = {
    {"knomial", tti_bcast_knomial, TTI_TAKES_RADIX, "whole messages down a k-nomial tree"},
    {"scatter_ring", tti_bcast_scatter_ring, TTI_TAKES_RADIX, "scatter down a tree, allgather around a ring"},
    {"chain", tti_bcast_chain, TTI_TAKES_CHUNK, "chunks along a chain of all ranks"},
    {"circulant", tti_bcast_circulant, TTI_TAKES_CHUNK, "chunks in rounds on a circulant graph"},
    {"two_tree", tti_bcast_two_tree, TTI_TAKES_CHUNK, "chunks down two binary trees by turns"},
    {"bine", tti_bcast_bine, 0, "whole messages down a Bine tree"},
    {"by_node", tti_bcast_by_node, TTI_TAKES_RADIX | TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_TAKES_WINDOW,
     "knomial among the leaders, then inside each node"},
    {"by_node_ring", tti_bcast_by_node_ring,
     TTI_TAKES_RADIX | TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_TAKES_WINDOW,
     "scatter_ring among the leaders, then inside each node"},
    {"by_node_chain", tti_bcast_by_node_chain, TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_TAKES_WINDOW,
     "chunks along a chain of the leaders, and into each node as they come"},
    {"by_node_circulant", tti_bcast_by_node_circulant, TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_TAKES_WINDOW,
     "chunks on a circulant graph of the leaders, and into each node as they come"},
    {"by_leaders", tti_bcast_by_leaders,
     TTI_TAKES_RADIX | TTI_TAKES_LEADERS | TTI_NEEDS_NODES | TTI_TAKES_WINDOW,
     "in parts, each by knomial among its leaders"},
    {"by_leaders_ring", tti_bcast_by_leaders_ring,
     TTI_TAKES_RADIX | TTI_TAKES_LEADERS | TTI_NEEDS_NODES | TTI_TAKES_WINDOW,
     "in parts, each by scatter_ring among its leaders"},
    {"window", tti_bcast_window, TTI_NEEDS_WINDOW, "blocks through the root's shared memory"},
    {"window_groups", tti_bcast_window_groups, TTI_NEEDS_WINDOW | TTI_NEEDS_GROUPS,
     "the same, by groups of near ranks"},
    {"shown", tti_bcast_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH, "out of the root's buffer"},
    {"shown_both", tti_bcast_shown_both, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH | TTI_BOTH_COPY,
     "the same, and of two ranks the root puts a half"},
};

static const tti_default_row defaults[] = {
    {TTI_ONCE(2), TTI_KIB(7), "window", 0, 0, "two ranks of a node, small: no meeting at the end"},
    {TTI_ONCE(2), TTI_KIB(8), "shown", 0, 0,
     "two ranks of a node, where the kernel copies quickly: one copy"},
    {2, TTI_KIB(8), "window", 0, 0, "two ranks of a node, small: no meeting at the end"},
    {2, TTI_ANY_BYTES, "shown_both", 0, 0,
     "two ranks of a node, large: one copy, of which each makes a half"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both can read: one copy"},
    {TTI_ONCE(4), TTI_KIB(12), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ONCE(4), TTI_KIB(96), "shown", 0, 0, "on one node, where the kernel copies quickly: one copy"},
    {TTI_ANY_RANKS, TTI_KIB(8), "window_groups", 0, 0,
     "on one node, small: once to each group of near ranks"},
    {TTI_ANY_RANKS, TTI_KIB(32), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "shown", 0, 0, "on one node, buffers that all can read: one copy"},
    {TTI_ANY_RANKS, TTI_MIB(64), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_KIB(64), "by_node", 4, TTI_KIB(16),
     "several ranks a node: the message goes to each node once"},
    {8, TTI_KIB(256), "by_node_chain", 0, TTI_KIB(64), "few nodes: to each once, chunk by chunk"},
    {8, TTI_ANY_BYTES, "by_node_chain", 0, TTI_KIB(256), "few nodes, large: to each once, chunk by chunk"},
    {64, TTI_MIB(2), "by_node_ring", 2, 0, "several ranks a node: to each node once, in parts"},
    {64, TTI_ANY_BYTES, "by_node_chain", 0, TTI_KIB(256),
     "not many nodes, large: to each once, chunk by chunk"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node_ring", 2, 0,
     "several ranks a node, large: to each node once, in parts"},
    {3, TTI_ANY_BYTES, "knomial", 0, 0, "so few ranks that the root sends to each"},
    {TTI_ANY_RANKS, TTI_KIB(16), "knomial", 4, 0, "small: fewest rounds"},
    {8, TTI_ANY_BYTES, "scatter_ring", 2, 0, "large: each rank sends about twice the message"},
    {64, TTI_KIB(256), "knomial", 2, 0, "medium: rounds cost more than bandwidth"},
    {64, TTI_ANY_BYTES, "scatter_ring", 2, 0, "large: each rank sends about twice the message"},
    {TTI_ANY_RANKS, TTI_MIB(1), "knomial", 2, 0, "many ranks: rounds cost more than bandwidth"},
    {1024, TTI_ANY_BYTES, "scatter_ring", 2, 0, "large: each rank sends about twice the message"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "chain", 0, TTI_KIB(256), "very many ranks: a pipeline"},
};

TTI_CHECK(bcast)

const tti_contract tti_contract_bcast = {
    .number = TTI_BCAST,
    .name = "bcast",
    .counted = true,
    .rooted = true,
    .before = before,
    .after = after,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_BCAST,
    .check = check,
};

/* clang-format off */
TTI_FORMS(bcast, (tutti_comm *comm, void *buf, size_t bytes, int root),
          .comm = comm, .recv = buf, .count = bytes, .root = root);
/* clang-format on */

/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks' elements combined, at the root. */
#include "collectives/reduce/reduce.h"

#include "collectives/calls/forms.h"

TTI_CONTENTS int after(const tti_shape *shape, int index, tti_content *content)
{
    return shape->rank == shape->root ? tti_contents_all(shape, index, content) : 0;
}

static const tti_algorithm algorithms[] = {
    {"knomial", tti_reduce_knomial, TTI_TAKES_RADIX, "whole messages up a k-nomial tree"},
    {"rabenseifner", tti_reduce_rabenseifner, TTI_TAKES_RADIX, "recursive splitting, then to the root"},
    {"chain", tti_reduce_chain, TTI_TAKES_CHUNK, "chunks along a chain of all ranks"},
    {"circulant", tti_reduce_circulant, TTI_TAKES_CHUNK | TTI_NEEDS_COMMUTING,
     "chunks in rounds on a circulant graph"},
    {"two_tree", tti_reduce_two_tree, TTI_TAKES_CHUNK, "chunks up two binary trees by turns"},
    {"bine", tti_reduce_bine, TTI_NEEDS_COMMUTING, "whole messages up a Bine tree"},
    {"by_node", tti_reduce_by_node,
     TTI_TAKES_RADIX | TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_NEEDS_COMMUTING,
     "inside each node, knomial among the leaders"},
    {"by_node_chain", tti_reduce_by_node_chain,
     TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_NEEDS_COMMUTING,
     "inside each node, then chunks along a chain of the leaders"},
    {"window", tti_reduce_window, TTI_NEEDS_WINDOW, "blocks through shared memory, the root combines"},
    {"window_groups", tti_reduce_window_groups, TTI_NEEDS_WINDOW | TTI_NEEDS_GROUPS | TTI_NEEDS_COMMUTING,
     "the same, by groups of near ranks"},
    {"shown", tti_reduce_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH,
     "the root combines what is in the others' buffers"},
    {"shown_both", tti_reduce_shown_both, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH | TTI_BOTH_COPY,
     "the same, and of two ranks the other combines a part"},
};

static const tti_default_row defaults[] = {
    {TTI_ONCE(2), TTI_KIB(7), "window", 0, 0, "two ranks of a node, small: no meeting at the end"},
    {TTI_ONCE(2), TTI_KIB(8), "shown", 0, 0,
     "two ranks of a node, where the kernel copies quickly: one copy"},
    {2, TTI_KIB(8), "window", 0, 0, "two ranks of a node, small: no meeting at the end"},
    {2, TTI_ANY_BYTES, "shown_both", 0, 0, "two ranks of a node, large: each combines a part"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both can read: one copy"},
    {TTI_ONCE(4), TTI_KIB(24), "window", 0, 0, "on one node: the root combines"},
    {TTI_ONCE(4), TTI_KIB(256), "shown", 0, 0, "on one node, where the kernel copies quickly: one copy"},
    {TTI_ANY_RANKS, TTI_KIB(8), "window_groups", 0, 0,
     "on one node, small: once from each group of near ranks"},
    {TTI_ANY_RANKS, TTI_KIB(128), "window", 0, 0, "on one node: the root combines"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "shown", 0, 0, "on one node, buffers that all can read: one copy"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window", 0, 0, "on one node: the root combines"},
    {TTI_ANY_RANKS, TTI_KIB(256), "by_node", 4, 0,
     "several ranks a node: one contribution a node on the network"},
    {16, TTI_ANY_BYTES, "by_node_chain", 0, TTI_KIB(256),
     "few nodes, large: one contribution a node, chunk by chunk"},
    {64, TTI_ANY_BYTES, "by_node_chain", 0, TTI_KIB(64),
     "not many nodes, large: one contribution a node, chunk by chunk"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node", 4, 0,
     "several ranks a node: one contribution a node on the network"},
    {4, TTI_KIB(16), "knomial", 0, 0, "so few ranks that each sends to the root"},
    {TTI_ANY_RANKS, TTI_KIB(16), "knomial", 4, 0, "small: fewest rounds"},
    {TTI_ANY_RANKS, TTI_MIB(1), "knomial", 2, 0, "medium: least incoming data at a rank"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "two_tree", 0, TTI_KIB(256),
     "large: chunk by chunk, all ranks busy at the same time"},
};

TTI_CHECK(reduce)

const tti_contract tti_contract_reduce = {
    .number = TTI_REDUCE,
    .name = "reduce",
    .counted = true,
    .sends = true,
    .reduces = true,
    .rooted = true,
    .before = tti_contents_own,
    .after = after,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_REDUCE,
    .check = check,
};

/* clang-format off */
TTI_FORMS(reduce, (tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
           tutti_op *op, int root),
          .comm = comm, .send = send, .recv = recv, .count = count, .type = type, .op = op, .root = root);
/* clang-format on */

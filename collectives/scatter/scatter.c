/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of the root's bytes at each rank. */
#include "collectives/scatter/scatter.h"

#include "collectives/calls/forms.h"

static const tti_algorithm algorithms[] = {
    {"knomial", tti_scatter_knomial, TTI_TAKES_RADIX, "blocks down a k-nomial tree"},
    {"linear", tti_scatter_linear, 0, "each block straight from the root"},
    {"by_node", tti_scatter_by_node, TTI_TAKES_RADIX | TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW,
     "knomial among the leaders, then inside each node"},
    {"by_node_linear", tti_scatter_by_node_linear, TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW,
     "straight to the leaders, then inside each node"},
    {"window", tti_scatter_window, TTI_NEEDS_WINDOW | TTI_SHARES_WINDOW,
     "blocks through the root's shared memory"},
    {"shown", tti_scatter_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH, "out of the root's buffer"},
};

static const tti_default_row defaults[] = {
    {2, TTI_KIB(4), "window", 0, 0, "two ranks of a node, small: no meeting at the end"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both have mapped: one copy"},
    {2, TTI_ANY_BYTES, "linear", 0, 0, "two ranks: one message, a long one copied by both"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_KIB(6), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_ANY_BYTES, "shown", 0, 0,
     "on one node, where the kernel copies quickly: one copy"},
    {TTI_ANY_RANKS, TTI_KIB(48), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "shown", 0, 0, "on one node, buffers that all can read: one copy"},
    {TTI_ANY_RANKS, TTI_KIB(4), "by_node", 4, 0,
     "several ranks a node, small: one message a node on the network"},
    {TTI_ANY_RANKS, TTI_KIB(64), "by_node_linear", 0, 0,
     "several ranks a node: one message a node on the network"},
    {4, TTI_ANY_BYTES, "linear", 0, 0, "so few ranks that the root sends to each"},
    {TTI_ANY_RANKS, TTI_KIB(4), "knomial", 2, 0, "small: fewest messages at the root"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "linear", 0, 0, "large: each block moves once, straight into place"},
};

TTI_CHECK(scatter)

const tti_contract tti_contract_scatter = {
    .number = TTI_SCATTER,
    .name = "scatter",
    .counted = true,
    .sends = true,
    .keeps = true,
    .rooted = true,
    .before = tti_contents_blocks_of_root,
    .after = tti_contents_block_of_root,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_ALLGATHER, /* of two ranks the root copies, too: its own block */
    .check = check,
};

/* clang-format off */
TTI_FORMS(scatter, (tutti_comm *comm, const void *send, void *recv, size_t bytes, int root),
          .comm = comm, .send = send, .recv = recv, .count = bytes, .root = root);
/* clang-format on */

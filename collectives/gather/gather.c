/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank's bytes at the root, in rank order. */
#include "collectives/gather/gather.h"

#include "collectives/calls/forms.h"

static const tti_algorithm algorithms[] = {
    {"knomial", tti_gather_knomial, TTI_TAKES_RADIX, "blocks up a k-nomial tree"},
    {"linear", tti_gather_linear, 0, "each block straight to the root"},
    {"by_node", tti_gather_by_node, TTI_TAKES_RADIX | TTI_NEEDS_NODES | TTI_TAKES_WINDOW,
     "to the leader of each node, knomial among these"},
    {"by_node_linear", tti_gather_by_node_linear, TTI_NEEDS_NODES | TTI_TAKES_WINDOW,
     "to the leader of each node, from these straight to the root"},
    {"window", tti_gather_window, TTI_NEEDS_WINDOW, "blocks through everybody's shared memory"},
    {"shown", tti_gather_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH, "out of everybody's buffers"},
    {"put", tti_gather_put, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH, "into the root's buffer"},
};

static const tti_default_row defaults[] = {
    {2, TTI_KIB(4), "window", 0, 0, "two ranks of a node, small: no meeting at the end"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both have mapped: one copy"},
    {2, TTI_ANY_BYTES, "linear", 0, 0, "two ranks: one message, a long one copied by both"},
    {TTI_ONCE(8), TTI_KIB(20), "window", 0, 0, "on one node: one copy in, one out, straight through"},
    {TTI_ONCE(8), TTI_ANY_BYTES, "put", 0, 0,
     "on one node, where the kernel copies quickly: one copy, by several"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_KIB(48), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_ANY_BYTES, "put", 0, 0,
     "on one node, where the kernel copies quickly: one copy, by several"},
    {TTI_ANY_RANKS, TTI_KIB(256), "window", 0, 0, "on one node: one copy in, one out, straight through"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "put", 0, 0, "on one node, into a buffer that all can write: one copy"},
    {TTI_ANY_RANKS, TTI_MIB(64), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_KIB(4), "by_node", 4, 0,
     "several ranks a node, small: one message a node on the network"},
    {TTI_ANY_RANKS, TTI_KIB(64), "by_node_linear", 0, 0,
     "several ranks a node: one message a node on the network"},
    {4, TTI_ANY_BYTES, "linear", 0, 0, "so few ranks that each sends to the root"},
    {TTI_ANY_RANKS, TTI_KIB(4), "knomial", 2, 0, "small: fewest messages at the root"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "linear", 0, 0, "large: each block moves once, straight into place"},
};

TTI_CHECK(gather)

const tti_contract tti_contract_gather = {
    .number = TTI_GATHER,
    .name = "gather",
    .counted = true,
    .sends = true,
    .rooted = true,
    .before = tti_contents_own_of_each,
    .after = tti_contents_each_at_root,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_ALLGATHER, /* of two ranks the root copies, too: its own block */
    .check = check,
};

/* clang-format off */
TTI_FORMS(gather, (tutti_comm *comm, const void *send, void *recv, size_t bytes, int root),
          .comm = comm, .send = send, .recv = recv, .count = bytes, .root = root);
/* clang-format on */

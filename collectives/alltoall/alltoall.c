/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of each rank's bytes at each rank. */
#include "collectives/alltoall/alltoall.h"

#include "collectives/calls/forms.h"

static const tti_algorithm algorithms[] = {
    {"bruck", tti_alltoall_bruck, TTI_TAKES_RADIX, "blocks hop by powers of k, several in a message"},
    {"pairwise", tti_alltoall_pairwise, 0, "each block straight, with one rank after the other"},
    {"by_node", tti_alltoall_by_node, TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW,
     "between two nodes one message of all blocks"},
    {"window", tti_alltoall_window, TTI_NEEDS_WINDOW | TTI_SHARES_WINDOW,
     "blocks through everybody's shared memory"},
    {"shown", tti_alltoall_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH,
     "each copies its blocks out of the others' buffers"},
};

static const tti_default_row defaults[] = {
    {2, TTI_KIB(8), "window", 0, 0, "two ranks of a node, small: no reading in buffers"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both can read: one copy"},
    {2, TTI_MIB(2), "window", 0, 0, "two ranks of a node: one copy in, one out"},
    {TTI_ONCE(4), TTI_KIB(16), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_KIB(12), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_ANY_BYTES, "shown", 0, 0,
     "on one node, where the kernel copies quickly: one copy"},
    {4, TTI_MIB(1), "window", 0, 0, "few ranks of a node: one copy in, one out"},
    {8, TTI_KIB(64), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_TWICE(8), TTI_MIB(64), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_TWICE(16), TTI_KIB(512), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_KIB(32), "window", 0, 0, "on one node: one copy in, one out"},
    {12, TTI_KIB(24), "by_node", 0, 0, "several ranks a node: one message from node to node"},
    {32, TTI_KIB(16), "by_node", 0, 0, "several ranks a node: one message from node to node"},
    {64, TTI_KIB(2), "by_node", 0, 0, "several ranks a node, small: one message from node to node"},
    {TTI_ANY_RANKS, 512, "by_node", 0, 0, "many ranks, small: one message from node to node"},
    {4, TTI_ANY_BYTES, "pairwise", 0, 0, "so few ranks that there are no messages to save"},
    {TTI_ANY_RANKS, 256, "bruck", 2, 0, "small: fewest messages"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "pairwise", 0, 0, "large: each block moves once, straight into place"},
};

TTI_CHECK(alltoall)

const tti_contract tti_contract_alltoall = {
    .number = TTI_ALLTOALL,
    .name = "alltoall",
    .counted = true,
    .sends = true,
    .before = tti_contents_blocks,
    .after = tti_contents_block_of_each,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_ALLGATHER,
    .check = check,
};

/* clang-format off */
TTI_FORMS(alltoall, (tutti_comm *comm, const void *send, void *recv, size_t bytes),
          .comm = comm, .send = send, .recv = recv, .count = bytes);
/* clang-format on */

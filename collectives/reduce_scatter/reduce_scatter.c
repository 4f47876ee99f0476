/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks' elements combined, so many of the result at each rank as a table says that all know. */
#include "collectives/calls/forms.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

static const tti_algorithm algorithms[] = {
    {"pairwise", tti_reduce_scatter_block_pairwise, 0, "each part straight to the rank that combines it"},
    {"circulant", tti_reduce_scatter_block_circulant, TTI_NEEDS_COMMUTING, "in rounds on a circulant graph"},
    {"pat", tti_reduce_scatter_block_pat, TTI_TAKES_CHUNK | TTI_NEEDS_COMMUTING,
     "parallel trees, the nearest step first"},
    {"ring", tti_reduce_scatter_block_ring, TTI_TAKES_CHUNK | TTI_NEEDS_COMMUTING,
     "sums once around a ring, in chunks"},
    {"by_node", tti_reduce_scatter_block_by_node,
     TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_NEEDS_COMMUTING,
     "inside each node, circulant among the leaders"},
    {"by_node_pairwise", tti_reduce_scatter_block_by_node_pairwise,
     TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_NEEDS_COMMUTING,
     "inside each node, pairwise among the leaders"},
    {"window", tti_reduce_scatter_block_window, TTI_NEEDS_WINDOW | TTI_SHARES_WINDOW,
     "on shared memory, each combines its part"},
    {"shown", tti_reduce_scatter_block_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH,
     "each combines its part out of everybody's buffers"},
};

static const tti_default_row defaults[] = {
    {2, TTI_KIB(8), "window", 0, 0, "two ranks of a node, small: no reading in buffers"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both can read: one copy"},
    {TTI_ONCE(4), TTI_KIB(48), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ONCE(8), TTI_KIB(24), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_KIB(12), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_ANY_BYTES, "shown", 0, 0,
     "on one node, where the kernel copies quickly: one copy"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window", 0, 0, "on one node: each combines its part"},
    {TTI_ANY_RANKS, TTI_KIB(2), "by_node", 0, 0,
     "several ranks a node, small: one contribution a node, in few rounds"},
    {TTI_ANY_RANKS, TTI_KIB(256), "by_node_pairwise", 0, 0,
     "several ranks a node: one contribution a node on the network"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "pairwise", 0, 0, "each contribution moves once"},
};

TTI_CHECK(reduce_scatter)

const tti_contract tti_contract_reduce_scatter = {
    .number = TTI_REDUCE_SCATTER,
    .name = "reduce_scatter",
    .counted = true,
    .sends = true,
    .reduces = true,
    .sent = TTI_TABLE_OF_ALL,
    .before = tti_contents_blocks,
    .after = tti_contents_block_of_all,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_ALLREDUCE,
    .check = check,
};

/* clang-format off */
TTI_FORMS(reduce_scatter, (tutti_comm *comm, const void *send, void *recv, const size_t *counts,
           tutti_type type, tutti_op *op),
          .comm = comm, .send = send, .recv = recv, .sent = {counts, NULL}, .type = type, .op = op);
/* clang-format on */

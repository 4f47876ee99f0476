/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks' elements combined, at every rank. */
#include "collectives/allreduce/allreduce.h"

#include "collectives/calls/forms.h"

static const tti_algorithm algorithms[] = {
    {"recmul", tti_allreduce_recmul, TTI_TAKES_RADIX, "recursive multiplying, whole messages"},
    {"rabenseifner", tti_allreduce_rabenseifner, TTI_TAKES_RADIX, "recursive splitting, then gathering"},
    {"ring", tti_allreduce_ring, TTI_NEEDS_COMMUTING, "reduce-scatter and allgather around a ring"},
    {"ring_chunks", tti_allreduce_ring_chunks, TTI_TAKES_CHUNK | TTI_NEEDS_COMMUTING,
     "the same in chunks, combined while others come"},
    {"circulant", tti_allreduce_circulant, TTI_NEEDS_COMMUTING,
     "reduce-scatter and allgather in rounds on a circulant graph"},
    {"swing", tti_allreduce_swing, TTI_NEEDS_COMMUTING | TTI_NEEDS_EVEN,
     "reduce-scatter and allgather, half of all with a neighbour"},
    {"two_tree", tti_allreduce_two_tree, TTI_TAKES_CHUNK, "chunks up and down two binary trees by turns"},
    {"by_node", tti_allreduce_by_node,
     TTI_TAKES_RADIX | TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_NEEDS_COMMUTING,
     "inside each node, recmul among the leaders"},
    {"by_node_split", tti_allreduce_by_node_split,
     TTI_TAKES_RADIX | TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_NEEDS_COMMUTING,
     "inside each node, rabenseifner among the leaders"},
    {"by_leaders", tti_allreduce_by_leaders,
     TTI_TAKES_RADIX | TTI_TAKES_LEADERS | TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_NEEDS_COMMUTING,
     "in parts, each by recmul among its leaders"},
    {"by_leaders_split", tti_allreduce_by_leaders_split,
     TTI_TAKES_RADIX | TTI_TAKES_LEADERS | TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_NEEDS_COMMUTING,
     "in parts, each by rabenseifner among its leaders"},
    {"window", tti_allreduce_window, TTI_NEEDS_WINDOW, "on shared memory, each combines all"},
    {"counted", tti_allreduce_counted, TTI_NEEDS_WINDOW | TTI_COUNTS,
     "on shared memory, the last to come combines"},
    {"window_lead", tti_allreduce_window_lead, TTI_NEEDS_WINDOW, "on shared memory, the first rank combines"},
    {"window_groups", tti_allreduce_window_groups, TTI_NEEDS_WINDOW | TTI_NEEDS_GROUPS | TTI_NEEDS_COMMUTING,
     "the same, by groups of near ranks"},
    {"window_parts", tti_allreduce_window_parts, TTI_NEEDS_WINDOW,
     "on shared memory, each combines its part of every block"},
    {"counted_parts", tti_allreduce_counted_parts, TTI_NEEDS_WINDOW | TTI_COUNTS,
     "the same, the last to come tells all"},
    {"shown", tti_allreduce_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH,
     "each combines all out of all buffers"},
    {"shown_parts", tti_allreduce_shown_parts, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH,
     "each combines its part out of all buffers"},
};

static const tti_default_row defaults[] = {
    {TTI_ANY_RANKS, TTI_KIB(4), "counted", 0, 0,
     "ranks that share processors, small: each needs its own once"},
    {2, TTI_KIB(4), "window", 0, 0, "two ranks of a node, small: each combines all"},
    {2, TTI_KIB(512), "shown", 0, 0, "two ranks of a node, buffers that both can read: each combines all"},
    {2, TTI_ANY_BYTES, "shown_parts", 0, 0,
     "two ranks of a node, buffers that both can read, large: each combines a half"},
    {TTI_ANY_RANKS, TTI_KIB(8), "window_groups", 0, 0,
     "on one node, small: once between groups of near ranks"},
    {8, TTI_KIB(1), "window", 0, 0, "few ranks of a node, small: each combines all"},
    {TTI_ANY_RANKS, TTI_KIB(4), "window_lead", 0, 0, "on one node, small: one combines for all"},
    {3, TTI_KIB(128), "counted_parts", 0, 0, "few ranks that share processors: each combines its part"},
    {TTI_ANY_RANKS, TTI_KIB(32), "counted", 0, 0, "ranks that share processors: each needs its own once"},
    {TTI_ANY_RANKS, TTI_KIB(128), "counted_parts", 0, 0,
     "ranks that share processors: each combines its part"},
    {TTI_ANY_RANKS, TTI_KIB(128), "window_parts", 0, 0, "on one node: each combines its part"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "shown_parts", 0, 0,
     "on one node, buffers that all can read: each combines its part"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "counted_parts", 0, 0,
     "ranks that share processors: each combines its part"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window_parts", 0, 0, "on one node: each combines its part"},
    {TTI_ANY_RANKS, TTI_KIB(32), "by_node", 4, TTI_KIB(16),
     "several ranks a node: one contribution a node on the network"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node_split", 4, 0,
     "several ranks a node, large: one contribution a node, in parts"},
    {4, TTI_KIB(2), "recmul", 0, 0, "few ranks, small: one exchange of all with all"},
    {TTI_ANY_RANKS, TTI_KIB(2), "recmul", 4, 0, "small: fewest rounds"},
    {2, TTI_KIB(64), "recmul", 2, 0, "two ranks: one exchange"},
    {TTI_ANY_RANKS, TTI_KIB(8), "recmul", 2, 0, "medium: fewest rounds of whole messages"},
    {TTI_ANY_RANKS, TTI_MIB(1), "rabenseifner", 2, 0, "large: least data in few rounds"},
    {64, TTI_ANY_BYTES, "ring", 0, 0, "very large: least data, neighbours only"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "rabenseifner", 2, 0, "large: least data in few rounds"},
};

TTI_CHECK(allreduce)

const tti_contract tti_contract_allreduce = {
    .number = TTI_ALLREDUCE,
    .name = "allreduce",
    .counted = true,
    .sends = true,
    .reduces = true,
    .before = tti_contents_own,
    .after = tti_contents_all,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_ALLREDUCE,
    .check = check,
};

/* clang-format off */
TTI_FORMS(allreduce, (tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
           tutti_op *op),
          .comm = comm, .send = send, .recv = recv, .count = count, .type = type, .op = op);
/* clang-format on */

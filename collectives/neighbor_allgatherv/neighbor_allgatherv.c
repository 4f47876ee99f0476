/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank's elements at each of its targets; of their number each rank knows its own, and what it expects.
 */
#include "collectives/calls/forms.h"
#include "collectives/contract/contents_neighbours.h"
#include "collectives/neighbor_alltoall/neighbor_alltoall.h"

TTI_NEIGHBOR_ALGORITHM(direct, true)
TTI_NEIGHBOR_ALGORITHM(window, true)
TTI_NEIGHBOR_ALGORITHM(blocks, true)
TTI_NEIGHBOR_ALGORITHM(by_node_v, true)

static const tti_algorithm algorithms[] = {
    {"direct", direct, 0, "one message to each target"},
    {"window", window, TTI_TAKES_WINDOW | TTI_TAKES_CHUNK, TTI_NEIGHBOR_WINDOW},
    {"blocks", blocks, TTI_NEEDS_WINDOW | TTI_PASSES_BLOCKS | TTI_TAKES_CHUNK, TTI_NEIGHBOR_BLOCKS},
    {"by_node", by_node_v,
     TTI_NEEDS_NODES | TTI_NEEDS_OFFSETS | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     TTI_NEIGHBOR_SHORT_BY_NODE},
};

static const tti_default_row defaults[] = {
    {4, TTI_ANY_BYTES, "by_node", 0, TTI_KIB(256), "over several nodes short parts that share messages"},
    {16, TTI_ANY_BYTES, "by_node", 0, TTI_KIB(256), "over several nodes short parts that share messages"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node", 0, TTI_KIB(64),
     "over several nodes short parts that share messages"},
    {2, TTI_ANY_BYTES, "blocks", 0, TTI_MIB(64), "two ranks of a node: until messages are fetched"},
    {TTI_TWICE(TTI_ANY_RANKS), TTI_ANY_BYTES, "blocks", 0, TTI_MIB(64), "on one node: one copy in, one out"},
    {4, TTI_ANY_BYTES, "window", 0, TTI_KIB(256), "on a node small parts through its memory"},
    {16, TTI_ANY_BYTES, "window", 0, TTI_KIB(256), "on a node small parts through its memory"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window", 0, TTI_KIB(64), "on a node small parts through its memory"},
};

TTI_CHECK(neighbor_allgatherv)

const tti_contract tti_contract_neighbor_allgatherv = {
    .number = TTI_NEIGHBOR_ALLGATHERV,
    .name = "neighbor_allgatherv",
    .counted = true,
    .sends = true,
    .neighbours = true,
    .typed = true,
    .received = TTI_TABLE_OF_EACH,
    .before = tti_contents_own_of_each,
    .after = tti_contents_of_sources,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_EDGES,
    .check = check,
};

/* clang-format off */
TTI_FORMS(neighbor_allgatherv, (tutti_comm *comm, const void *send, size_t count, void *recv, const size_t *counts,
           const size_t *offsets, tutti_type type),
          .comm = comm, .send = send, .count = count, .recv = recv, .received = {counts, offsets}, .type = type);
/* clang-format on */

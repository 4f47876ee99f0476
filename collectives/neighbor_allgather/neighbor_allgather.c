/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank's bytes at each of its targets. */
#include "collectives/calls/forms.h"
#include "collectives/contract/contents_neighbours.h"
#include "collectives/neighbor_alltoall/neighbor_alltoall.h"

TTI_NEIGHBOR_ALGORITHM(direct, true)
TTI_NEIGHBOR_ALGORITHM(window, true)
TTI_NEIGHBOR_ALGORITHM(shown, true)
TTI_NEIGHBOR_ALGORITHM(blocks, true)
TTI_NEIGHBOR_ALGORITHM(combined, true)
TTI_NEIGHBOR_ALGORITHM(by_node, true)

static const tti_algorithm algorithms[] = {
    {"direct", direct, 0, "one message to each target"},
    {"window", window, TTI_TAKES_WINDOW | TTI_TAKES_CHUNK, TTI_NEIGHBOR_WINDOW},
    {"shown", shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH, TTI_NEIGHBOR_SHOWN},
    {"blocks", blocks, TTI_NEEDS_WINDOW | TTI_TAKES_CHUNK, TTI_NEIGHBOR_BLOCKS},
    {"combined", combined, TTI_NEEDS_STENCIL, TTI_NEIGHBOR_COMBINED},
    {"by_node", by_node, TTI_NEEDS_NODES | TTI_NEEDS_OFFSETS | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW,
     TTI_NEIGHBOR_BY_NODE},
};

static const tti_default_row defaults[] = {
    {2, TTI_KIB(8), "window", 0, TTI_KIB(8), "two ranks of a node, small: no reading in buffers"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both can read: one copy"},
    {TTI_ANY_RANKS, TTI_KIB(128), "by_node", 0, 0, "over several nodes parts that share messages"},
    {TTI_ANY_RANKS, TTI_KIB(4), "combined", 0, 0, "a stencil over nodes of one rank: few messages"},
    {2, TTI_MIB(64), "blocks", 0, TTI_MIB(64),
     "two ranks of a node: one copy in, what is taken twice out of a cache"},
    {TTI_ONCE(4), TTI_KIB(96), "window", 0, TTI_KIB(96), "on a node small parts through its memory"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_KIB(48), "window", 0, TTI_KIB(48),
     "on a node small parts through its memory"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_ANY_BYTES, "shown", 0, 0,
     "on one node, where the kernel copies quickly: one copy"},
    {4, TTI_KIB(256), "window", 0, TTI_KIB(256), "on a node small parts through its memory"},
    {16, TTI_KIB(256), "window", 0, TTI_KIB(256), "on a node small parts through its memory"},
    {TTI_ANY_RANKS, TTI_KIB(64), "window", 0, TTI_KIB(64), "on a node small parts through its memory"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "shown", 0, 0, "on one node, buffers that all can read: one copy"},
    {TTI_TWICE(TTI_ANY_RANKS), TTI_MIB(64), "blocks", 0, TTI_MIB(64), "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "direct", 0, 0, "large: each part moves once, straight into place"},
};

TTI_CHECK(neighbor_allgather)

const tti_contract tti_contract_neighbor_allgather = {
    .number = TTI_NEIGHBOR_ALLGATHER,
    .name = "neighbor_allgather",
    .counted = true,
    .sends = true,
    .neighbours = true,
    .before = tti_contents_own,
    .after = tti_contents_of_sources,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_EDGES,
    .check = check,
};

/* clang-format off */
TTI_FORMS(neighbor_allgather, (tutti_comm *comm, const void *send, void *recv, size_t bytes),
          .comm = comm, .send = send, .recv = recv, .count = bytes);
/* clang-format on */

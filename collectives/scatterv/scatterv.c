/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of the root's elements at each rank, which knows how many it gets. */
#include "collectives/scatterv/scatterv.h"

#include "collectives/calls/forms.h"
#include "collectives/scatter/scatter.h"

static const tti_algorithm algorithms[] = {
    {"linear", tti_scatter_linear, 0, "each part straight from the root"},
    {"window", tti_scatterv_window, TTI_NEEDS_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     "parts up to a chunk through the root's shared memory"},
    {"by_node", tti_scatterv_by_node,
     TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     "the same inside the root's node, to others short parts together"},
};

static const tti_default_row defaults[] = {
    {2, TTI_ANY_BYTES, "window", 0, TTI_KIB(8), "two ranks of a node: what is small goes with its flag"},
    {TTI_ONCE(8), TTI_ANY_BYTES, "window", 0, TTI_KIB(6),
     "few ranks of a node, where the kernel copies quickly"},
    {4, TTI_ANY_BYTES, "window", 0, TTI_KIB(16), "few ranks of a node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window", 0, TTI_KIB(48), "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node", 0, TTI_KIB(16),
     "several ranks a node: short parts of a node together"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "linear", 0, 0, "each part moves once, straight into place"},
};

TTI_CHECK(scatterv)

const tti_contract tti_contract_scatterv = {
    .number = TTI_SCATTERV,
    .name = "scatterv",
    .counted = true,
    .sends = true,
    .keeps = true,
    .typed = true,
    .rooted = true,
    .sent = TTI_TABLE_OF_ROOT,
    .before = tti_contents_blocks_of_root,
    .after = tti_contents_block_of_root,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(scatterv, (tutti_comm *comm, const void *send, const size_t *counts, const size_t *offsets, void *recv,
           size_t count, tutti_type type, int root),
          .comm = comm, .send = send, .sent = {counts, offsets}, .recv = recv, .count = count, .type = type,
          .root = root);
/* clang-format on */

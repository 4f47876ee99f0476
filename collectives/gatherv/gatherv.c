/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank's elements at the root, which knows how many each has. */
#include "collectives/gatherv/gatherv.h"

#include "collectives/calls/forms.h"
#include "collectives/gather/gather.h"

static const tti_algorithm algorithms[] = {
    {"linear", tti_gather_linear, 0, "each part straight to the root"},
    {"window", tti_gatherv_window, TTI_NEEDS_WINDOW | TTI_TAKES_CHUNK,
     "parts up to a chunk through everybody's shared memory"},
    {"put", tti_gatherv_put, TTI_NEEDS_WINDOW | TTI_TAKES_CHUNK,
     "parts up to a chunk likewise, others into the root's buffer"},
    {"by_node", tti_gatherv_by_node, TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     "the same inside the root's node, of others short parts together"},
};

static const tti_default_row defaults[] = {
    {2, TTI_ANY_BYTES, "window", 0, TTI_KIB(8), "two ranks of a node: what is small goes with its flag"},
    {TTI_ONCE(4), TTI_ANY_BYTES, "put", 0, TTI_KIB(16),
     "few ranks of a node, where the kernel copies quickly: one copy of long parts, by several"},
    {TTI_ONCE(8), TTI_ANY_BYTES, "put", 0, TTI_KIB(20),
     "on one node, where the kernel copies quickly: one copy of long parts, by several"},
    {TTI_ONCE(TTI_ANY_RANKS), TTI_ANY_BYTES, "put", 0, TTI_KIB(48),
     "on one node, where the kernel copies quickly: one copy of long parts, by several"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window", 0, TTI_MIB(64), "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node", 0, TTI_MIB(64),
     "several ranks a node: short parts of a node together"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "linear", 0, 0, "each part moves once, straight into place"},
};

TTI_CHECK(gatherv)

const tti_contract tti_contract_gatherv = {
    .number = TTI_GATHERV,
    .name = "gatherv",
    .counted = true,
    .sends = true,
    .typed = true,
    .rooted = true,
    .received = TTI_TABLE_OF_ROOT,
    .before = tti_contents_own_of_each,
    .after = tti_contents_each_at_root,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(gatherv, (tutti_comm *comm, const void *send, size_t count, void *recv, const size_t *counts,
           const size_t *offsets, tutti_type type, int root),
          .comm = comm, .send = send, .count = count, .recv = recv, .received = {counts, offsets}, .type = type,
          .root = root);
/* clang-format on */

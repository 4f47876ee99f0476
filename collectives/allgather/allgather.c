/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank's bytes at every rank, in rank order. */
#include "collectives/allgather/allgather.h"

#include "collectives/calls/forms.h"

static const tti_algorithm algorithms[] = {
    {"bruck", tti_allgather_bruck, TTI_TAKES_RADIX, "blocks multiply by k each round, then turn"},
    {"ring", tti_allgather_ring, 0, "each block once around a ring"},
    {"circulant", tti_allgather_circulant, 0, "in rounds on a circulant graph, then sort"},
    {"bine", tti_allgather_bine, TTI_NEEDS_EVEN, "along Bine trees, then sort"},
    TTI_ALLGATHER_ALGORITHMS,
    {"counted", tti_allgather_counted, TTI_NEEDS_WINDOW | TTI_COUNTS,
     "blocks through everybody's shared memory, the last to come tells all"},
    {"window", tti_allgather_window, TTI_NEEDS_WINDOW, "blocks through everybody's shared memory"},
    {"shown", tti_allgather_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH, "out of each other's buffers"},
};

static const tti_default_row defaults[] = {
    {TTI_ANY_RANKS, TTI_KIB(4), "counted", 0, 0,
     "ranks that share processors, small: each needs its own once"},
    {2, TTI_KIB(8), "window", 0, 0, "two ranks of a node, small: no meeting at the end"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both can read: one copy"},
    {TTI_ONCE(4), TTI_KIB(96), "counted", 0, 0, "few ranks that share processors: one copy in, one out"},
    {TTI_ONCE(4), TTI_KIB(512), "shown", 0, 0, "on one node, where the kernel copies quickly: one copy"},
    {TTI_ANY_RANKS, TTI_KIB(128), "counted", 0, 0, "ranks that share processors: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_KIB(128), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "shown", 0, 0, "on one node, buffers that all can read: one copy"},
    {TTI_ANY_RANKS, TTI_MIB(64), "counted", 0, 0, "ranks that share processors: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_MIB(64), "window", 0, 0, "on one node: one copy in, one out for each"},
    TTI_ALLGATHER_DEFAULTS("block"),
};

TTI_CHECK(allgather)

const tti_contract tti_contract_allgather = {
    .number = TTI_ALLGATHER,
    .name = "allgather",
    .counted = true,
    .sends = true,
    .before = tti_contents_own_of_each,
    .after = tti_contents_each,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_ALLGATHER,
    .check = check,
};

/* clang-format off */
TTI_FORMS(allgather, (tutti_comm *comm, const void *send, void *recv, size_t bytes),
          .comm = comm, .send = send, .recv = recv, .count = bytes);
/* clang-format on */

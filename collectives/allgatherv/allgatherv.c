/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank's elements at every rank, so many of each as a table says that all know. */
#include "collectives/allgather/allgather.h"
#include "collectives/calls/forms.h"

static const tti_algorithm algorithms[] = {
    {"bruck", tti_allgather_bruck, TTI_TAKES_RADIX, "parts multiply by k each round, then turn"},
    {"ring", tti_allgather_ring, 0, "each part once around a ring"},
    {"circulant", tti_allgather_circulant, 0, "in rounds on a circulant graph, then sort"},
    TTI_ALLGATHER_ALGORITHMS,
    {"window", tti_allgather_window, TTI_NEEDS_WINDOW, "parts through everybody's shared memory"},
    {"shown", tti_allgather_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH,
     "each copies parts out of the others' buffers"},
};

static const tti_default_row defaults[] = {
    {2, TTI_KIB(8), "window", 0, 0, "two ranks of a node, small: no reading in buffers"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both can read: one copy"},
    {TTI_ANY_RANKS, TTI_KIB(128), "window", 0, 0, "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "shown", 0, 0, "on one node, buffers that all can read: one copy"},
    {TTI_ANY_RANKS, TTI_MIB(64), "window", 0, 0, "on one node: one copy in, one out for each"},
    TTI_ALLGATHER_DEFAULTS("part"),
};

TTI_CHECK(allgatherv)

const tti_contract tti_contract_allgatherv = {
    .number = TTI_ALLGATHERV,
    .name = "allgatherv",
    .counted = true,
    .sends = true,
    .typed = true,
    .received = TTI_TABLE_OF_ALL,
    .before = tti_contents_own_of_each,
    .after = tti_contents_each,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_ALLGATHER,
    .check = check,
};

/* clang-format off */
TTI_FORMS(allgatherv, (tutti_comm *comm, const void *send, void *recv, const size_t *counts,
           const size_t *offsets, tutti_type type),
          .comm = comm, .send = send, .recv = recv, .received = {counts, offsets}, .type = type);
/* clang-format on */

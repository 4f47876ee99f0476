/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank's elements at each of its targets; of their number each rank knows its own, and what it expects.
 */
#include "collectives/calls/forms.h"
#include "collectives/contract/contents_neighbours.h"
#include "collectives/neighbor_alltoall/neighbor_direct.h"

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
    TTI_ALGORITHMS(tti_neighbor_whole_algorithms),
    .defaults = tti_neighbor_whole_defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(neighbor_allgatherv, (tutti_comm *comm, const void *send, size_t count, void *recv, const size_t *counts,
           const size_t *offsets, tutti_type type),
          .comm = comm, .send = send, .count = count, .recv = recv, .received = {counts, offsets}, .type = type);
/* clang-format on */

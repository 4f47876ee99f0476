/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank's bytes at each of its targets. */
#include "collectives/calls/forms.h"
#include "collectives/contract/contents_neighbours.h"
#include "collectives/neighbor_alltoall/neighbor_direct.h"

TTI_CHECK(neighbor_allgather)

const tti_contract tti_contract_neighbor_allgather = {
    .number = TTI_NEIGHBOR_ALLGATHER,
    .name = "neighbor_allgather",
    .counted = true,
    .sends = true,
    .neighbours = true,
    .before = tti_contents_own,
    .after = tti_contents_of_sources,
    TTI_ALGORITHMS(tti_neighbor_block_algorithms),
    .defaults = tti_neighbor_block_defaults,
    .crossing = TTI_CROSSING_ALLGATHER,
    .check = check,
};

/* clang-format off */
TTI_FORMS(neighbor_allgather, (tutti_comm *comm, const void *send, void *recv, size_t bytes),
          .comm = comm, .send = send, .recv = recv, .count = bytes);
/* clang-format on */

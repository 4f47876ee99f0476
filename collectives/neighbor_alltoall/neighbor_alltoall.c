/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of each rank's bytes at each of its targets. */
#include "collectives/calls/forms.h"
#include "collectives/contract/contents_neighbours.h"
#include "collectives/neighbor_alltoall/neighbor_direct.h"

TTI_CHECK(neighbor_alltoall)

const tti_contract tti_contract_neighbor_alltoall = {
    .number = TTI_NEIGHBOR_ALLTOALL,
    .name = "neighbor_alltoall",
    .counted = true,
    .sends = true,
    .neighbours = true,
    .before = tti_contents_for_targets,
    .after = tti_contents_for_me,
    TTI_ALGORITHMS(tti_neighbor_blocks_algorithms),
    .defaults = tti_neighbor_blocks_defaults,
    .crossing = TTI_CROSSING_ALLGATHER,
    .check = check,
};

/* clang-format off */
TTI_FORMS(neighbor_alltoall, (tutti_comm *comm, const void *send, void *recv, size_t bytes),
          .comm = comm, .send = send, .recv = recv, .count = bytes);
/* clang-format on */

/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of each rank's bytes at each of its targets, wherever it is; of sizes and places each rank knows its
 * own. */
#include "collectives/calls/forms.h"
#include "collectives/contract/contents_neighbours.h"
#include "collectives/neighbor_alltoallv/neighbor_alltoallv.h"

TTI_CHECK(neighbor_alltoallw)

const tti_contract tti_contract_neighbor_alltoallw = {
    .number = TTI_NEIGHBOR_ALLTOALLW,
    .name = "neighbor_alltoallw",
    .counted = true,
    .sends = true,
    .neighbours = true,
    .sent = TTI_TABLE_OF_EACH,
    .received = TTI_TABLE_OF_EACH,
    .before = tti_contents_for_targets,
    .after = tti_contents_for_me,
    TTI_ALGORITHMS(tti_neighbor_alltoallv_algorithms),
    .defaults = tti_neighbor_alltoallv_defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(neighbor_alltoallw, (tutti_comm *comm, const void *send, const size_t *send_bytes,
           const size_t *send_offsets, void *recv, const size_t *recv_bytes, const size_t *recv_offsets),
          .comm = comm, .send = send, .sent = {send_bytes, send_offsets}, .recv = recv,
          .received = {recv_bytes, recv_offsets});
/* clang-format on */

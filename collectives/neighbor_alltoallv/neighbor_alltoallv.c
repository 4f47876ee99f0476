/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of each rank's elements at each of its targets; of their sizes each rank knows its own. */
#include "collectives/neighbor_alltoallv/neighbor_alltoallv.h"
#include "collectives/calls/forms.h"
#include "collectives/contract/contents_neighbours.h"

TTI_CHECK(neighbor_alltoallv)

const tti_contract tti_contract_neighbor_alltoallv = {
    .number = TTI_NEIGHBOR_ALLTOALLV,
    .name = "neighbor_alltoallv",
    .counted = true,
    .sends = true,
    .neighbours = true,
    .typed = true,
    .sent = TTI_TABLE_OF_EACH,
    .received = TTI_TABLE_OF_EACH,
    .before = tti_contents_for_targets,
    .after = tti_contents_for_me,
    TTI_ALGORITHMS(tti_neighbor_alltoallv_algorithms),
    .defaults = tti_neighbor_alltoallv_defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(neighbor_alltoallv, (tutti_comm *comm, const void *send, const size_t *send_counts,
           const size_t *send_offsets, void *recv, const size_t *recv_counts, const size_t *recv_offsets,
           tutti_type type),
          .comm = comm, .send = send, .sent = {send_counts, send_offsets}, .recv = recv,
          .received = {recv_counts, recv_offsets}, .type = type);
/* clang-format on */

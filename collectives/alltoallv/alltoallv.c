/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of each rank's elements at each rank; of their sizes each rank knows its own. */
#include "collectives/alltoallv/alltoallv.h"

#include "collectives/calls/forms.h"

TTI_CHECK(alltoallv)

const tti_contract tti_contract_alltoallv = {
    .number = TTI_ALLTOALLV,
    .name = "alltoallv",
    .counted = true,
    .sends = true,
    .typed = true,
    .sent = TTI_TABLE_OF_EACH,
    .received = TTI_TABLE_OF_EACH,
    .before = tti_contents_blocks,
    .after = tti_contents_block_of_each,
    TTI_ALGORITHMS(tti_alltoallv_algorithms),
    .defaults = tti_alltoallv_defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(alltoallv, (tutti_comm *comm, const void *send, const size_t *send_counts, const size_t *send_offsets,
           void *recv, const size_t *recv_counts, const size_t *recv_offsets, tutti_type type),
          .comm = comm, .send = send, .sent = {send_counts, send_offsets}, .recv = recv,
          .received = {recv_counts, recv_offsets}, .type = type);
/* clang-format on */

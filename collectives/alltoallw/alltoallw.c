/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of each rank's bytes at each rank, wherever they are; of sizes and places each rank knows its own.
 */
#include "collectives/alltoallv/alltoallv.h"

#include "collectives/calls/forms.h"

TTI_CHECK(alltoallw)

const tti_contract tti_contract_alltoallw = {
    .number = TTI_ALLTOALLW,
    .name = "alltoallw",
    .counted = true,
    .sends = true,
    .sent = TTI_TABLE_OF_EACH,
    .received = TTI_TABLE_OF_EACH,
    .before = tti_contents_blocks,
    .after = tti_contents_block_of_each,
    TTI_ALGORITHMS(tti_alltoallv_algorithms),
    .defaults = tti_alltoallv_defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(alltoallw, (tutti_comm *comm, const void *send, const size_t *send_bytes, const size_t *send_offsets,
           void *recv, const size_t *recv_bytes, const size_t *recv_offsets),
          .comm = comm, .send = send, .sent = {send_bytes, send_offsets}, .recv = recv,
          .received = {recv_bytes, recv_offsets});
/* clang-format on */

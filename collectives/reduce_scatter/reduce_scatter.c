/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks' elements combined, so many of the result at each rank as a table says that all know. */
#include "collectives/calls/forms.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

static const tti_algorithm algorithms[] = {
    {"pairwise", tti_reduce_scatter_block_pairwise, 0, "each part straight to the rank that combines it"},
    {"circulant", tti_reduce_scatter_block_circulant, TTI_NEEDS_COMMUTING, "in rounds on a circulant graph"},
    TTI_REDUCE_SCATTER_ALGORITHMS("part"),
};

static const tti_default_row defaults[] = {
    TTI_REDUCE_SCATTER_DEFAULTS("part"),
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "pairwise", 0, 0, "each contribution moves once"},
};

TTI_CHECK(reduce_scatter)

const tti_contract tti_contract_reduce_scatter = {
    .number = TTI_REDUCE_SCATTER,
    .name = "reduce_scatter",
    .counted = true,
    .sends = true,
    .reduces = true,
    .sent = TTI_TABLE_OF_ALL,
    .before = tti_contents_blocks,
    .after = tti_contents_block_of_all,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_ALLREDUCE,
    .check = check,
};

/* clang-format off */
TTI_FORMS(reduce_scatter, (tutti_comm *comm, const void *send, void *recv, const size_t *counts,
           tutti_type type, tutti_op *op),
          .comm = comm, .send = send, .recv = recv, .sent = {counts, NULL}, .type = type, .op = op);
/* clang-format on */

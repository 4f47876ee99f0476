/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks' elements combined, a block of the result at each rank. */
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

#include "collectives/calls/forms.h"

static const tti_algorithm algorithms[] = {
    {"halving", tti_reduce_scatter_block_halving, TTI_TAKES_RADIX, "recursive splitting"},
    {"pairwise", tti_reduce_scatter_block_pairwise, 0, "each block straight to the rank that combines it"},
    {"circulant", tti_reduce_scatter_block_circulant, TTI_NEEDS_COMMUTING, "in rounds on a circulant graph"},
    {"bine", tti_reduce_scatter_block_bine, TTI_NEEDS_COMMUTING | TTI_NEEDS_EVEN, "along Bine trees"},
    TTI_REDUCE_SCATTER_ALGORITHMS("block"),
};

static const tti_default_row defaults[] = {
    TTI_REDUCE_SCATTER_DEFAULTS("block"),
    {4, TTI_KIB(2), "halving", 0, 0, "few ranks, small: one exchange of all with all"},
    {TTI_ANY_RANKS, TTI_KIB(16), "halving", 2, 0, "small: fewest rounds"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "pairwise", 0, 0, "large: each contribution moves once"},
};

TTI_CHECK(reduce_scatter_block)

const tti_contract tti_contract_reduce_scatter_block = {
    .number = TTI_REDUCE_SCATTER_BLOCK,
    .name = "reduce_scatter_block",
    .counted = true,
    .sends = true,
    .reduces = true,
    .before = tti_contents_blocks,
    .after = tti_contents_block_of_all,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .crossing = TTI_CROSSING_ALLREDUCE,
    .check = check,
};

/* clang-format off */
TTI_FORMS(reduce_scatter_block, (tutti_comm *comm, const void *send, void *recv, size_t count,
           tutti_type type, tutti_op *op),
          .comm = comm, .send = send, .recv = recv, .count = count, .type = type, .op = op);
/* clang-format on */

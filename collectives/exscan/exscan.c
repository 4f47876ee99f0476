/* SPDX-License-Identifier: BSD-3-Clause */
/* At each rank the elements of ranks 0 … itself - 1 combined, of rank 0 nothing. */
#include "collectives/calls/forms.h"
#include "collectives/scan/scan.h"

/* In place rank 0 keeps what it has. */
TTI_CONTENTS int after(const tti_shape *shape, int index, tti_content *content)
{
    if (shape->rank == 0) return shape->in_place ? tti_contents_own(shape, index, content) : 0;
    *content = tti_content_at(tti_place_at(TTI_OUTPUT, 0), shape, 0, shape->rank - 1);
    return 1;
}

/* Without the caller's own in results. */
TTI_SCAN_ALGORITHMS(false)
TTI_CHECK(exscan)

const tti_contract tti_contract_exscan = {
    .number = TTI_EXSCAN,
    .name = "exscan",
    .counted = true,
    .sends = true,
    .reduces = true,
    .before = tti_contents_own,
    .after = after,
    TTI_ALGORITHMS(algorithms),
    .defaults = tti_scan_defaults,
    .crossing = TTI_CROSSING_ONE_WAY,
    .check = check,
};

/* clang-format off */
TTI_FORMS(exscan, (tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
           tutti_op *op),
          .comm = comm, .send = send, .recv = recv, .count = count, .type = type, .op = op);
/* clang-format on */

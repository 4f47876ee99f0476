/* SPDX-License-Identifier: BSD-3-Clause */
/* At each rank the elements of ranks 0 … itself combined. */
#include "collectives/scan/scan.h"

#include "collectives/calls/forms.h"

TTI_CONTENTS int after(const tti_shape *shape, int index, tti_content *content)
{
    (void)index;
    *content = tti_content_at(tti_place_at(TTI_OUTPUT, 0), shape, 0, shape->rank);
    return 1;
}

/* With the caller's own in results. */
TTI_SCAN_ALGORITHMS(true)
TTI_CHECK(scan)

const tti_contract tti_contract_scan = {
    .number = TTI_SCAN,
    .name = "scan",
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
TTI_FORMS(scan, (tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
           tutti_op *op),
          .comm = comm, .send = send, .recv = recv, .count = count, .type = type, .op = op);
/* clang-format on */

/* SPDX-License-Identifier: BSD-3-Clause */
/* At each rank the elements of ranks 0 … itself combined. */
#include "collectives/calls/forms.h"
#include "tests/job/toy/toys.h"

static int after(const tti_shape *shape, int index, tti_content *content)
{
    (void)index;
    *content = tti_content_at(tti_place_at(TTI_OUTPUT, 0), shape, 0, shape->rank);
    return 1;
}

/* Along the ranks, each adding its own. */
static void along(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    const tti_place output = tti_place_at(TTI_OUTPUT, 0), sum = tti_build_scratch(builder, bytes);
    if (!shape->in_place) tti_build_copy(builder, tti_shape_own(shape), output, bytes);
    if (shape->rank > 0) {
        tti_build_recv(builder, sum, bytes, shape->rank - 1, 0);
        tti_build_reduce(builder, sum, output, bytes);
    }
    if (shape->rank < shape->size - 1) tti_build_send(builder, output, bytes, shape->rank + 1, 0);
}

static const tti_algorithm algorithms[] = {{"along", along, 0, "from rank to rank"}};
static const tti_default_row defaults[] = {
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "along", 0, 0, "there is no other"}};

TTI_CHECK(toy_scan)

const tti_contract tti_contract_toy_scan = {
    .number = TTI_TOY_SCAN,
    .name = "toy_scan",
    .counted = true,
    .sends = true,
    .reduces = true,
    .before = tti_contents_own,
    .after = after,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(toy_scan, (tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type, tutti_op *op),
          .comm = comm, .send = send, .recv = recv, .count = count, .type = type, .op = op);
/* clang-format on */

/* SPDX-License-Identifier: BSD-3-Clause */
/* Of each rank a block to each: a contribution has as many blocks as there are ranks. */
#include "collectives/calls/forms.h"
#include "tests/job/toy/toys.h"

static int before(const tti_shape *shape, int index, tti_content *content)
{
    tti_contents_own(shape, index, content);
    content->bytes *= (size_t)shape->size;
    return 1;
}

static int after(const tti_shape *shape, int index, tti_content *content)
{
    tti_contents_each(shape, index, content);
    content->from = (size_t)shape->rank * tti_shape_bytes(shape);
    return shape->size;
}

/* Each block straight to the rank that it is for. */
static void straight(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), all = bytes * (size_t)shape->size;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const tti_place kept = tti_build_scratch(builder, shape->in_place ? all : 0);
    const tti_place from = shape->in_place ? kept : tti_shape_own(shape);
    if (shape->in_place) tti_build_copy(builder, output, kept, all);
    for (int q = 0; q < shape->size; q++) {
        const tti_place block = tti_place_plus(from, bytes * (size_t)q);
        const tti_place target = tti_place_plus(output, bytes * (size_t)q);
        if (q == shape->rank) {
            tti_build_copy(builder, block, target, bytes);
        } else {
            tti_build_send(builder, block, bytes, q, 0);
            tti_build_recv(builder, target, bytes, q, 0);
        }
    }
}

static const tti_algorithm algorithms[] = {{"straight", straight, 0, "each block by a message of its own"}};
static const tti_default_row defaults[] = {
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "straight", 0, 0, "there is no other"}};

TTI_CHECK(toy_exchange)

const tti_contract tti_contract_toy_exchange = {
    .number = TTI_TOY_EXCHANGE,
    .name = "toy_exchange",
    .counted = true,
    .sends = true,
    .before = before,
    .after = after,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(toy_exchange, (tutti_comm *comm, const void *send, void *recv, size_t bytes),
          .comm = comm, .send = send, .recv = recv, .count = bytes);
/* clang-format on */

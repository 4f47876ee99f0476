/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of the root's bytes at each rank. */
#include "collectives/scatter/scatter.h"

#include "collectives/forms.h"

TTI_CONTENTS int before(const tti_shape *shape, int index, tti_content *content)
{
    return shape->rank == shape->root ? tti_contents_blocks(shape, index, content) : 0;
}

/* In place the root keeps all as it was. */
TTI_CONTENTS int after(const tti_shape *shape, int index, tti_content *content)
{
    if (shape->in_place) return before(shape, index, content);
    *content = tti_content_at(tti_place_at(TTI_OUTPUT, 0), shape, shape->root, shape->root);
    content->from = (size_t)shape->rank * tti_shape_bytes(shape);
    return 1;
}

static const tti_algorithm algorithms[] = {
    {"knomial", tti_scatter_knomial, TTI_TAKES_RADIX, "blocks down a k-nomial tree"},
    {"linear", tti_scatter_linear, 0, "each block straight from the root"},
    {"window", tti_scatter_window, TTI_NEEDS_WINDOW | TTI_SHARES_WINDOW,
     "blocks through the root's shared memory"},
};

static const tti_default_row defaults[] = {
    {TTI_ANY_RANKS, TTI_KIB(32), "window", 0, 0, "on one node: one copy in, one out"},
    {4, TTI_ANY_BYTES, "linear", 0, 0, "so few ranks that the root sends to each"},
    {TTI_ANY_RANKS, TTI_KIB(4), "knomial", 2, 0, "small: fewest messages at the root"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "linear", 0, 0, "large: each block moves once, straight into place"},
};

TTI_CHECK(scatter)

const tti_contract tti_contract_scatter = {
    .number = TTI_SCATTER,
    .name = "scatter",
    .counted = true,
    .sends = true,
    .keeps = true,
    .rooted = true,
    .before = before,
    .after = after,
    TTI_ALGORITHMS(algorithms),
    .defaults = defaults,
    .check = check,
};

/* clang-format off */
TTI_FORMS(scatter, (tutti_comm *comm, const void *send, void *recv, size_t bytes, int root),
          .comm = comm, .send = send, .recv = recv, .count = bytes, .root = root);
/* clang-format on */

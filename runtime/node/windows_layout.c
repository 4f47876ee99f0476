/* SPDX-License-Identifier: BSD-3-Clause */
/* Where windows lie in the segment, and what they take of it: computed from its shape.
 *
 *     heads | of each set, of each rank and of the last to come: counts | tiny, small, large, parts' windows
 *     window: a word, a mark, data | behind them what counts who comes to the last's next window
 */
#include "runtime/node/windows_layout.h"

#include "runtime/node/segment.h"

static size_t stride_of(const tti_node_shape *shape, enum tti_node_window_kind kind)
{
    const size_t bytes = sizeof(tti_node_window) + shape->window_bytes[kind];
    return (bytes + TTI_NODE_LINE - 1) / TTI_NODE_LINE * TTI_NODE_LINE;
}

/* A copy that begins in the midst of a line takes longer: so of what is no less than lines the data begin
 * with one. */
static size_t lead_of(enum tti_node_window_kind kind)
{
    return TTI_NODE_WINDOW_BESIDE - tti_node_window_beside(kind);
}

/* Where the lines of a kind begin; of one kind more: where all end. */
static size_t begin_of(const tti_node_shape *shape, int kind)
{
    size_t at = sizeof(tti_node_window_counts);
    for (int k = 0; k < kind; k++)
        at += TTI_NODE_LINE + tti_node_windows_count((enum tti_node_window_kind)k) *
                                  stride_of(shape, (enum tti_node_window_kind)k);
    return at;
}

static size_t bytes_of_rank(const tti_node_shape *shape)
{
    return begin_of(shape, TTI_NODE_WINDOW_KINDS);
}

/* Of each set: one more than ranks, for the last to come (tti_node_windows_of_last()). */
static size_t slots(const tti_node_shape *shape)
{
    return (size_t)shape->ranks + 1;
}

_Static_assert(offsetof(tti_node_window, data) + TTI_NODE_WINDOW_BESIDE == TTI_NODE_LINE,
               "the line of a window's word ends with the data beside it");
_Static_assert(sizeof(tti_node_window_counts) - offsetof(tti_node_window_counts, call) >=
                   (TTI_NODE_WINDOW_CALL + 1) * sizeof(uint64_t),
               "behind the counts there is room for the word of the first window");

size_t tti_node_windows_bytes(const tti_node_shape *shape)
{
    return shape->window_sets * (TTI_NODE_LINE + slots(shape) * bytes_of_rank(shape));
}

size_t tti_node_window_bytes(const tti_node *node, enum tti_node_window_kind kind)
{
    return node->shape.window_sets > 0 ? node->shape.window_bytes[kind] : 0;
}

int tti_node_windows_of_last(const tti_node *node)
{
    return (int)node->shape.ranks;
}

tti_node_windows_layout tti_node_windows_lie(const tti_node *node, int set)
{
    const tti_node_shape *shape = &node->shape;
    const size_t of_peer = bytes_of_rank(shape);
    char *const sets = node->windows + (size_t)shape->window_sets * TTI_NODE_LINE;
    tti_node_windows_layout layout = {.first = sets + (size_t)set * slots(shape) * of_peer,
                                      .of_peer = of_peer};
    for (int kind = 0; kind < TTI_NODE_WINDOW_KINDS; kind++) {
        layout.at[kind] = begin_of(shape, kind) + lead_of((enum tti_node_window_kind)kind);
        layout.stride[kind] = stride_of(shape, (enum tti_node_window_kind)kind);
    }
    return layout;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory in the segment for the collectives of communicators: sets of windows, given out and taken back. */
#include "runtime/base/hot.h"
#include "runtime/node/segment.h"

static _Atomic uint32_t *users_of(const tti_node *node, int set)
{
    return (_Atomic uint32_t *)(void *)(node->windows + (size_t)set * TTI_NODE_LINE);
}

size_t tti_node_windows_bytes(const tti_node_shape *shape)
{
    const size_t sets = shape->window_sets, each = sizeof(tti_node_window) + shape->window_bytes;
    return sets * (TTI_NODE_LINE + (size_t)shape->ranks * TTI_NODE_WINDOWS * each);
}

size_t tti_node_window_bytes(const tti_node *node)
{
    return node->shape.window_sets > 0 ? node->shape.window_bytes : 0;
}

TTI_HOT tti_node_window *tti_node_window_at(const tti_node *node, int set, int peer, int number)
{
    const size_t each = sizeof(tti_node_window) + node->shape.window_bytes;
    const size_t index = ((size_t)set * node->shape.ranks + (size_t)peer) * TTI_NODE_WINDOWS + (size_t)number;
    return (tti_node_window *)(void *)(node->windows + (size_t)node->shape.window_sets * TTI_NODE_LINE +
                                       index * each);
}

static void clear(const tti_node *node, int set, const int *peers, int count)
{
    for (int i = 0; i < count; i++)
        for (int w = 0; w < TTI_NODE_WINDOWS; w++) {
            tti_node_window *window = tti_node_window_at(node, set, peers[i], w);
            atomic_store_explicit(&window->posted, 0, memory_order_relaxed);
            atomic_store_explicit(&window->finished, 0, memory_order_relaxed);
        }
}

int tti_node_windows_take(tti_node *node, const int *peers, int count)
{
    for (int set = TTI_NODE_WINDOWS_OF_ALL + 1; set < (int)node->shape.window_sets; set++) {
        uint32_t nobody = 0;
        if (!atomic_compare_exchange_strong(users_of(node, set), &nobody, (uint32_t)count)) continue;
        clear(node, set, peers, count);
        return set;
    }
    return -1;
}

void tti_node_windows_leave(tti_node *node, int set)
{
    if (set != TTI_NODE_WINDOWS_OF_ALL) atomic_fetch_sub(users_of(node, set), 1);
}

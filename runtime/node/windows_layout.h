/* SPDX-License-Identifier: BSD-3-Clause */
/* Where windows lie in the segment. */
#ifndef TTI_NODE_WINDOWS_LAYOUT_H
#define TTI_NODE_WINDOWS_LAYOUT_H

#include <stddef.h>

#include "runtime/node/node.h"
#include "runtime/node/node_window.h"

/* Bytes of one window; 0: there are none of that kind. */
size_t tti_node_window_bytes(const tti_node *node, enum tti_node_window_kind kind);
/* Where those of a set are: the counts of peer p at first + p * of_peer, and its window w of a kind at[kind]
 * + w * stride[kind] bytes behind. */
typedef struct {
    char *first;
    size_t of_peer, at[TTI_NODE_WINDOW_KINDS], stride[TTI_NODE_WINDOW_KINDS];
} tti_node_windows_layout;
tti_node_windows_layout tti_node_windows_lie(const tti_node *node, int set);
/* The peer whose windows in a set belong to no rank, but to whoever comes last to an operation. */
int tti_node_windows_of_last(const tti_node *node);

#endif

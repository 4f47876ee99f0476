/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets between two ranks. */
#ifndef TTI_NODE_MAILBOX_H
#define TTI_NODE_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/node/node.h"

/* Largest packet (head + body) that tti_node_send() takes, in bytes. */
#define TTI_NODE_PACKET_MAX (16384 + 64)

/* A packet arrived from `peer` (index on the node); the bytes, 8-byte aligned, are valid during the call. The
 * handler may call tti_node_send(), not tti_node_poll(). */
typedef void tti_node_packet_fn(void *context, int peer, const void *packet, size_t bytes);

/* Copies a packet made of head and body (body may be NULL if body_bytes is 0) into the peer's mailbox.
 * Returns 0, or 1 if there is no room now (nothing was written; poll and try again), or an error. A sleeping
 * peer is woken; and so is this rank when the peer has made room and polls on. */
int tti_node_send(tti_node *node, int peer, const void *head, size_t head_bytes, const void *body,
                  size_t body_bytes);

/* Whether the peer has yet to take more than one packet that was sent to it. */
bool tti_node_is_behind(tti_node *node, int peer);

/* Hands every packet that is there (at most `limit` of them) to `handle`; returns how many. */
int tti_node_poll(tti_node *node, int limit, tti_node_packet_fn *handle, void *context);
/* From which size on messages between this rank and the peer are fetched: crossings->fetch, but by how long a
 * line takes between the two now. */
size_t tti_node_fetch_least(tti_node *node, int peer);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeping until a peer sends, and waking. */
#ifndef TTI_NODE_BELL_H
#define TTI_NODE_BELL_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/node/node.h"

/* Sleeping, in three steps so that no wake-up is lost: arm, look once more for work, sleep (or disarm).
 *   tti_node_arm(node);  if (nothing to do) tti_node_sleep(node, timeout_ns);  tti_node_disarm(node);
 * tti_node_sleep() returns when a peer sent, tti_node_wake() was called, or after timeout_ns (< 0: no limit);
 * also without a cause. One thread at a time may be between arm and disarm (p2p has one watcher): if another
 * armed again between a thread's look and its sleep, it would take that thread's wake-up. tti_node_sleep()
 * alone may be called without the lock that guards the rest. */
void tti_node_arm(tti_node *node);
void tti_node_sleep(tti_node *node, int64_t timeout_ns);
void tti_node_disarm(tti_node *node);
/* For a rank that also waits on the fabric: a descriptor that becomes readable instead of the futex being
 * woken, from its first call on; poll() it between arm and disarm; disarm drains it. Negative TUTTI_ERR_* on
 * failure. */
int tti_node_wake_fd(tti_node *node);
/* Ends the sleep of a peer that waits for a change in memory: call it after a sequentially consistent one. */
void tti_node_poke(tti_node *node, int peer);
/* Ends the sleep of this rank; from any thread. */
void tti_node_wake(tti_node *node);
/* Whether the peer is not asleep. */
bool tti_node_is_awake(const tti_node *node, int peer);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of compositions by nodes that several collectives have. Inside a node they pass messages, or
 * blocks through the memory that its ranks share, where they do (shape->window); nodes need not do alike. */
#ifndef TTI_COMPOSE_BY_NODE_PHASES_H
#define TTI_COMPOSE_BY_NODE_PHASES_H

#include "collectives/compose/by_node.h"

/* The first part of a reduction: what the ranks of each node have, combined in the leader's OUTPUT. It is not
 * there where the leader is alone (tti_by_node_alone()), and has its own where it was. */
void tti_by_node_up(tti_by_node *by, tti_builder *builder);

/* The last two parts: `between` among the leaders, and what it leaves in their OUTPUT down inside each node.
 */
void tti_by_node_spread(const tti_by_node *by, tti_builder *builder, tti_build_fn *between);

/* Down a tree inside the node by messages of at most a chunk, each as soon as it is there: what is at `place`
 * of the leader. Their tags begin at TTI_TAG_DOWN. */
enum { TTI_TAG_DOWN = 1 };
void tti_by_node_send_down(const tti_by_node *by, tti_builder *builder, tti_place place, size_t bytes);

/* Of what is at `from` at the leader each of the others of its node gets its part at `to`; the parts lie one
 * after the other, as the table by places says that all of them have. It is the last thing that the leader's
 * posts are for. */
void tti_by_node_deal(const tti_by_node *by, tti_builder *builder, const tti_table *parts, tti_place from,
                      tti_place to);

#endif

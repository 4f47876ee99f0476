/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts between a root and each rank, of which these two alone know the size (gatherv, scatterv). Short ones
 * of another node of several ranks are one message, of slots (compose/slots.h), between the root and one rank
 * of that node, its hands for the root's. What is too long for a slot goes alone.
 *
 *   3 nodes of 2, root 0      0 ─ 2: sizes of the parts of 2 and 3 │ their slots      0 ─ 4: those of 4 and 5
 *
 * How deep slots are follows from the layout alone: WINDOWs are a node's affair. A message is as long as the
 * longest part in it asks for each. */
#ifndef TTI_COMPOSE_JOINED_ROOTED_H
#define TTI_COMPOSE_JOINED_ROOTED_H

#include "collectives/compose/rooted_short.h"
#include "collectives/compose/slots.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    const tti_node_map *map;
    int home;    /* the root's node */
    size_t most; /* bytes up to which parts share a message; 0: none do */
} tti_joined_rooted;

/* Parts that go alone have tag 0. */
enum { TTI_TAG_WITH_ROOT = 1, TTI_TAG_WITH_HANDS };

tti_joined_rooted tti_joined_rooted_open(const tti_shape *shape, tti_builder *builder);

/* Whether that node's short parts share a message. */
static inline bool tti_joined_rooted_joins(const tti_joined_rooted *j, int node)
{
    return j->most > 0 && tti_rooted_joins(j->shape, node);
}
static inline int tti_joined_rooted_hands(const tti_joined_rooted *j, int node)
{
    return tti_node_hands(j->map, node, j->home);
}
/* The slots of a node's message, by the places of its ranks; and one alone. */
static inline tti_slots tti_joined_rooted_message(const tti_joined_rooted *j, int node)
{
    const int ranks = tti_node_ranks(j->map, node);
    return (tti_slots){ranks, ranks, j->most};
}
static inline tti_slots tti_joined_rooted_row(const tti_joined_rooted *j)
{
    return (tti_slots){1, 1, j->most};
}
static inline tti_slot tti_joined_rooted_slot(int place)
{
    return (tti_slot){place, place};
}
/* Whether those find room in the WINDOWs of the caller's node, which all of its ranks share. */
static inline bool tti_joined_rooted_by_window(const tti_joined_rooted *j, tti_slots slots)
{
    return tti_slots_bytes(&slots) <= j->shape->window;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Short parts that go from node to node together: see alltoallv_by_node.c. */
#ifndef TTI_ALLTOALLV_JOINT_H
#define TTI_ALLTOALLV_JOINT_H

#include "collectives/alltoall/by_hands.h"
#include "collectives/alltoallv/alltoallv.h"

typedef struct {
    tti_hands hands; /* whose blocks are slots, of a size and a part; of 0 bytes: nothing is joined */
    size_t bytes;    /* of all slots that a rank may have, and get as hands */
    tti_place slots; /* the caller's: one for each rank, in the order of nodes */
} tti_joint;

/* Parts that go alone have tag 0. On their way inside a node further tags follow. */
enum { TTI_TAG_JOINT = 1, TTI_TAG_GIVEN, TTI_TAG_GOT, TTI_TAGS_OF_JOINT = 2 };

/* Whether that node and the caller's join what they have for each other; and whether the caller is its node's
 * hands for that. */
static inline bool tti_joint_joins(const tti_joint *j, int node)
{
    return tti_nodes_join(j->hands.map, j->hands.node, node);
}
static inline bool tti_joint_is_hands(const tti_joint *j, int node)
{
    return tti_joint_joins(j, node) && node % j->hands.size == j->hands.place;
}
/* The caller's slots for a node. */
static inline tti_place tti_joint_row_at(const tti_joint *j, int node)
{
    return tti_place_plus(j->slots, j->hands.block * (size_t)j->hands.map->start[node]);
}

/* -- joint.c -- */
/* Slots are of one size everywhere, by what all ranks know: WINDOWs are a node's affair. */
tti_joint tti_joint_open(const tti_shape *shape, tti_builder *builder);
/* Puts the size of the caller's part for each rank of such nodes into its slot, and the part if it is short.
 */
void tti_joint_fill(const tti_joint *j);
/* Takes the part that rank `from` has for the caller out of a slot: in the WINDOW of the hands, or its own
 * memory (TTI_OWN). */
void tti_joint_take(const tti_joint *j, int hands, tti_place slot, int from);

/* -- joint_messages.c -- */
/* The whole, where the ranks of the caller's node have no room in shared memory for it, of which those of
 * other nodes know nothing. */
void tti_joint_by_messages(tti_joint *j);

#endif

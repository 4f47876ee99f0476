/* SPDX-License-Identifier: BSD-3-Clause */
/* Short parts that go from node to node together: see alltoallv_by_node.c. */
#ifndef TTI_ALLTOALLV_ALLTOALLV_JOINED_H
#define TTI_ALLTOALLV_ALLTOALLV_JOINED_H

#include "collectives/alltoallv/alltoallv.h"
#include "collectives/compose/hands.h"
#include "collectives/compose/slots.h"

typedef struct {
    tti_hands hands;
    size_t *most;   /* of each node: bytes up to which parts go together with others; 0: none do */
    size_t *row_at; /* of each node: where each rank's row for it is, from `base` or `own` on */
    size_t *in_at;  /* of each node: where its message comes, in the memory of the hands for it, likewise */
    size_t base;    /* where that begins in WINDOWs */
    tti_place own;  /* where that begins in the caller's memory */
    size_t bytes;   /* of all rows and messages that a rank of the node has, at most */
} tti_joined_v;

/* Parts that go alone have tag 0. On their way inside a node further tags follow. */
enum { TTI_TAG_JOINED = 1, TTI_TAG_GIVEN, TTI_TAG_GOT, TTI_TAGS_OF_JOINED = 2 };

/* Whether that node and the caller's join what they have for each other; and whether the caller is its node's
 * hands for that. */
static inline bool tti_joined_v_joins(const tti_joined_v *j, int node)
{
    return j->most[node] > 0;
}
static inline bool tti_joined_v_is_hands(const tti_joined_v *j, int node)
{
    return tti_joined_v_joins(j, node) && node % j->hands.size == j->hands.place;
}
/* What one rank of the caller's node has for a node, or gets from it; and what all have. */
static inline tti_slots tti_joined_v_row(const tti_joined_v *j, int node)
{
    const int ranks = tti_hands_ranks(&j->hands, node);
    return (tti_slots){ranks, ranks, j->most[node]};
}
static inline tti_slots tti_joined_v_message(const tti_joined_v *j, int node)
{
    const int parts = tti_hands_ranks(&j->hands, node) * j->hands.size;
    return (tti_slots){parts, parts, j->most[node]};
}
static inline tti_slots_at tti_joined_v_own(const tti_joined_v *j, int node)
{
    return (tti_slots_at){tti_joined_v_row(j, node), TTI_OWN, tti_place_plus(j->own, j->row_at[node])};
}
/* The part that a rank of the node has for one of the caller's, by their places; and the reverse. */
static inline tti_slot tti_joined_v_coming(const tti_joined_v *j, int source, int target)
{
    const int n = source * j->hands.size + target;
    return (tti_slot){n, n};
}
static inline tti_slot tti_joined_v_going(const tti_joined_v *j, int node, int source, int target)
{
    const int n = source * tti_hands_ranks(&j->hands, node) + target;
    return (tti_slot){n, n};
}

/* -- alltoallv_joined.c -- */
/* How deep slots are follows from the layout alone: WINDOWs are a node's affair. False if memory is out. */
bool tti_joined_v_open(tti_joined_v *j, const tti_shape *shape, tti_builder *builder);
/* Puts the sizes of the caller's parts into its rows, and the parts that are short. */
void tti_joined_v_fill(const tti_joined_v *j);
/* As the hands: the rows of all ranks of the caller's node go in one message. `row_of`: that of the rank at
 * another place. */
void tti_joined_v_give(const tti_joined_v *j, int node,
                       tti_slots_at (*row_of)(const tti_joined_v *, int node, int source));
/* Takes the part of the rank at a place of `node` that is for the caller. */
void tti_joined_v_take(const tti_joined_v *j, const tti_slots_at *from, tti_slot which, int node, int source);

/* -- alltoallv_joined_messages.c -- */
/* The whole, where the ranks of the caller's node have no room in shared memory for it, of which those of
 * other nodes know nothing. */
void tti_joined_v_by_messages(tti_joined_v *j);

#endif

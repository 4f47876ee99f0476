/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks that go by way of hands: what alltoall by nodes does on shared memory and by messages (see
 * alltoall_by_node.c). */
#ifndef TTI_ALLTOALL_ALLTOALL_BY_HANDS_H
#define TTI_ALLTOALL_ALLTOALL_BY_HANDS_H

#include "collectives/alltoall/alltoall.h"
#include "collectives/compose/hands.h"

/* Between nodes; inside one, of rows and columns, further tags follow. */
enum { TTI_TAG_HANDS, TTI_TAG_ROW, TTI_TAG_COLUMN, TTI_TAGS_OF_NODE = 2 };

/* Bytes of what a rank of the caller's node gets from that node, or has for it; and all of them. */
static inline size_t tti_hands_column(const tti_hands *h, int node)
{
    return h->block * (size_t)tti_hands_ranks(h, node);
}
static inline size_t tti_hands_message(const tti_hands *h, int node)
{
    return tti_hands_column(h, node) * (size_t)h->size;
}
/* The caller's block for a rank; where that of the rank at a position in the order of nodes comes. */
static inline tti_place tti_hands_own(const tti_hands *h, int rank)
{
    return tti_place_plus(tti_shape_own(h->shape), h->block * (size_t)rank);
}
static inline tti_place tti_hands_result(const tti_hands *h, int position)
{
    return tti_place_at(TTI_OUTPUT, h->block * (size_t)h->map->members[position]);
}

/* Puts the column from `node`, which is at `from`, or in a peer's WINDOW, into place. */
void tti_hands_put(const tti_hands *h, int node, tti_place from);
void tti_hands_put_from(const tti_hands *h, int node, int peer, size_t offset);
/* The whole, where the ranks of the caller's node pass messages. */
void tti_hands_by_messages(const tti_hands *h);

#endif

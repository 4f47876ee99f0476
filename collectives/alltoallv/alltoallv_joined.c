/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoallv/alltoallv_joined.h"

/* Bytes of a part in a message, of all of them, and of all rows and messages that a rank may have, at most:
 * with more each part goes by itself. So much finds room in the WINDOWs of nodes of few ranks, and in those
 * of larger ones (runtime/node/segment.c). */
#define SLOT ((size_t)24 << 10)
#define JOINED ((size_t)600 << 10)
#define ROOM_FEW ((size_t)712 << 10)
#define ROOM ((size_t)368 << 10)
#define FEW_RANKS 16

/* How many ranks the smallest node of several has; 0: all have one. */
static int least_of_several(const tti_node_map *map)
{
    int least = 0;
    for (int n = 0; n < map->nodes; n++) {
        const int ranks = tti_node_ranks(map, n);
        if (ranks > 1 && (least == 0 || ranks < least)) least = ranks;
    }
    return least;
}

/* How deep slots may be for the room alone: a rank has one for each rank, and those of the messages that come
 * to it, as the hands for so many nodes at most. */
static size_t depth_for_room(const tti_node_map *map, int size)
{
    const int most = tti_node_map_most(map), least = least_of_several(map);
    if (least == 0) return 0;
    const size_t pairs = (size_t)most * (size_t)most, handed = (size_t)(map->nodes / least + 1);
    const size_t depth = (most <= FEW_RANKS ? ROOM_FEW : ROOM) / ((size_t)size + pairs * handed);
    return depth < SLOT ? depth : SLOT;
}

/* Rows one after the other, then the messages that come to the same hands. */
static void lay(tti_joined_v *j)
{
    size_t end = 0;
    for (int b = 0; b < j->hands.map->nodes; b++) {
        const tti_slots row = tti_joined_v_row(j, b);
        j->row_at[b] = end;
        end += tti_slots_bytes(&row);
    }
    j->bytes = end;
    for (int b = 0; b < j->hands.map->nodes; b++) {
        const int before = b - j->hands.size;
        const tti_slots message = tti_joined_v_message(j, b);
        j->in_at[b] = end;
        if (before >= 0) {
            const tti_slots other = tti_joined_v_message(j, before);
            j->in_at[b] = j->in_at[before] + tti_slots_bytes(&other);
        }
        const size_t reached = j->in_at[b] + tti_slots_bytes(&message);
        if (reached > j->bytes) j->bytes = reached;
    }
}

bool tti_joined_v_open(tti_joined_v *j, const tti_shape *shape, tti_builder *builder)
{
    const int nodes = shape->nodes->nodes;
    *j = (tti_joined_v){.hands = tti_hands_open(shape, builder)};
    j->most = tti_build_sizes(builder, nodes);
    j->row_at = tti_build_sizes(builder, nodes);
    j->in_at = tti_build_sizes(builder, nodes);
    if (j->most == NULL || j->row_at == NULL || j->in_at == NULL) return false;
    const size_t depth = depth_for_room(shape->nodes, shape->size);
    for (int b = 0; b < nodes; b++) {
        const int parts = tti_hands_ranks(&j->hands, b) * j->hands.size;
        const bool join = tti_nodes_join(j->hands.map, j->hands.node, b);
        j->most[b] = join ? tti_slots_make(shape, (tti_slot){parts, parts}, JOINED, depth).most : 0;
    }
    lay(j);
    return true;
}

void tti_joined_v_fill(const tti_joined_v *j)
{
    const tti_shape *shape = j->hands.shape;
    for (int b = 0; b < j->hands.map->nodes; b++) {
        const tti_slots_at row = tti_joined_v_own(j, b);
        for (int i = 0; i < row.slots.slots && tti_joined_v_joins(j, b); i++) {
            const int rank = tti_node_member(j->hands.map, b, i);
            const tti_extent part = tti_shape_sent(shape, rank);
            tti_slots_tell(j->hands.builder, &row, i, part.bytes);
            tti_slots_put(j->hands.builder, &row, i, tti_place_plus(tti_shape_own(shape), part.at),
                          part.bytes);
        }
    }
}

void tti_joined_v_give(const tti_joined_v *j, int node,
                       tti_slots_at (*row_of)(const tti_joined_v *, int node, int source))
{
    const tti_slots_at out = tti_slots_scratch(j->hands.builder, tti_joined_v_message(j, node));
    const int ranks = tti_hands_ranks(&j->hands, node);
    for (int source = 0; source < j->hands.size; source++) {
        const tti_slots_at row =
            source == j->hands.place ? tti_joined_v_own(j, node) : row_of(j, node, source);
        tti_slots_move(j->hands.builder, &row, (tti_slot){0, 0}, &out, tti_joined_v_going(j, node, source, 0),
                       (tti_slot){ranks, ranks});
    }
    tti_slots_send(j->hands.builder, &out, tti_hands_other(&j->hands, node), TTI_TAG_JOINED);
}

void tti_joined_v_take(const tti_joined_v *j, const tti_slots_at *from, tti_slot which, int node, int source)
{
    const int rank = tti_node_member(j->hands.map, node, source);
    const tti_extent part = tti_shape_received(j->hands.shape, rank);
    tti_slots_get(j->hands.builder, from, which, tti_place_at(TTI_OUTPUT, part.at), part.bytes, rank);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/joined_rooted.h"

/* Bytes of a slot, of all of a message, and of all messages that the root has, at most. */
#define SLOT ((size_t)16 << 10)
#define JOINED ((size_t)128 << 10)
#define ROOM ((size_t)2 << 20)

tti_joined_rooted tti_joined_rooted_open(const tti_shape *shape, tti_builder *builder)
{
    const tti_node_map *map = shape->nodes;
    const int most = tti_node_map_most(map);
    const size_t room = ROOM / (size_t)shape->size;
    const tti_slots slots = tti_slots_make(shape, (tti_slot){most, most}, JOINED, room < SLOT ? room : SLOT);
    return (tti_joined_rooted){.shape = shape,
                               .builder = builder,
                               .map = map,
                               .home = map->node_of[shape->root],
                               .most = slots.most};
}

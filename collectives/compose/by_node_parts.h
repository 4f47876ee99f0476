/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of all ranks in the order of their nodes: those of a node in a row, as leaders exchange them. */
#ifndef TTI_COMPOSE_BY_NODE_PARTS_H
#define TTI_COMPOSE_BY_NODE_PARTS_H

#include "collectives/compose/by_node.h"

typedef struct {
    const tti_shape *shape;
    const tti_table *table; /* of the shape's: which parts */
    bool in_order;          /* they lie so in a buffer of all already */
    tti_table nodes;        /* by node: all of its ranks' */
    tti_table local;        /* by place in the caller's node, from where its node's begin */
} tti_by_node_parts;

/* Both, where all ranks know all parts: those of `table`, the shape's `send` or `recv`. False if memory is
 * out (the builder remembers). */
bool tti_by_node_parts_open(const tti_shape *shape, const tti_table *table, tti_builder *builder,
                            tti_by_node *by, tti_by_node_parts *parts);

/* All of a node's parts, and all parts. */
static inline tti_extent tti_by_node_part(const tti_by_node_parts *parts, int node)
{
    return tti_table_part(&parts->nodes, parts->shape->element, node);
}
static inline size_t tti_by_node_total(const tti_by_node_parts *parts)
{
    const tti_extent last = tti_by_node_part(parts, parts->shape->nodes->nodes - 1);
    return last.at + last.bytes;
}
/* One of the caller's node, from where these begin. */
static inline tti_extent tti_by_node_local(const tti_by_node_parts *parts, int place)
{
    return tti_table_part(&parts->local, parts->shape->element, place);
}

/* From the order of a buffer of all at `from` into that of nodes, which begins at `to`, and back, but for
 * the caller's own in place. */
void tti_by_node_sort(const tti_by_node_parts *parts, tti_builder *builder, tti_place from, tti_place to);
void tti_by_node_unsort(const tti_by_node_parts *parts, tti_builder *builder, tti_place from, tti_place to);

/* Builds `between` among the leaders, of whom each has, or gets, the parts of its node: what it names INPUT
 * and OUTPUT is at `from` and `to`. */
void tti_by_node_among_leaders(const tti_by_node *by, const tti_by_node_parts *parts, tti_builder *builder,
                               tti_place from, tti_place to, bool in_place, tti_build_fn *between);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/by_node_parts.h"

static size_t elements(const tti_by_node_parts *parts, int rank)
{
    return parts->shape->parted ? parts->table->counts[rank] : parts->shape->count;
}

static bool is_in_order(const tti_by_node_parts *parts)
{
    size_t at = 0;
    for (int i = 0; i < parts->shape->size; i++) {
        const tti_extent part = tti_shape_part(parts->shape, parts->table, i);
        if (parts->shape->nodes->members[i] != i || (part.bytes > 0 && part.at != at)) return false;
        at += part.bytes;
    }
    return true;
}

/* Of the parts of positions first … first + count - 1; returns what they are together. */
static size_t list(const tti_by_node_parts *parts, int first, int count, size_t *counts, size_t *offsets)
{
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        const size_t n = elements(parts, parts->shape->nodes->members[first + i]);
        if (counts != NULL) {
            counts[i] = n;
            offsets[i] = at;
        }
        at += n;
    }
    return at;
}

static bool open_parts(const tti_by_node *by, const tti_shape *shape, const tti_table *table,
                       tti_builder *builder, tti_by_node_parts *parts)
{
    const int nodes = by->between.size, size = by->inside.size, *start = shape->nodes->start;
    size_t *counts = tti_build_sizes(builder, 2 * (nodes + size)), *local = counts + 2 * (size_t)nodes,
           at = 0;
    if (counts == NULL) return false;
    *parts = (tti_by_node_parts){
        .shape = shape, .table = table, .nodes = {counts, counts + nodes}, .local = {local, local + size}};
    for (int n = 0; n < nodes; n++) {
        counts[n] = list(parts, start[n], start[n + 1] - start[n], NULL, NULL);
        counts[nodes + n] = at;
        at += counts[n];
    }
    list(parts, start[by->between.rank], size, local, local + size);
    parts->in_order = is_in_order(parts);
    return true;
}

bool tti_by_node_parts_open(const tti_shape *shape, const tti_table *table, tti_builder *builder,
                            tti_by_node *by, tti_by_node_parts *parts)
{
    return tti_by_node_open(shape, builder, by) && open_parts(by, shape, table, builder, parts);
}

/* How many positions from `first` on are of parts in a row, whose bytes these are. */
static int row_from(const tti_by_node_parts *parts, int first, int apart, tti_extent *row)
{
    const int *members = parts->shape->nodes->members;
    int n = 1;
    *row = tti_shape_part(parts->shape, parts->table, members[first]);
    for (; first + n < parts->shape->size && members[first] != apart && members[first + n] != apart; n++) {
        const tti_extent next = tti_shape_part(parts->shape, parts->table, members[first + n]);
        if (next.at != row->at + row->bytes) break;
        row->bytes += next.bytes;
    }
    return n;
}

void tti_by_node_sort(const tti_by_node_parts *parts, tti_builder *builder, tti_place from, tti_place to)
{
    tti_extent row;
    for (int i = 0; i < parts->shape->size; to = tti_place_plus(to, row.bytes)) {
        i += row_from(parts, i, -1, &row);
        tti_build_copy(builder, tti_place_plus(from, row.at), to, row.bytes);
    }
}

void tti_by_node_unsort(const tti_by_node_parts *parts, tti_builder *builder, tti_place from, tti_place to)
{
    const int apart = parts->shape->in_place ? parts->shape->rank : -1;
    tti_extent row;
    for (int i = 0, n; i < parts->shape->size; i += n, from = tti_place_plus(from, row.bytes)) {
        n = row_from(parts, i, apart, &row);
        if (parts->shape->nodes->members[i] != apart)
            tti_build_copy(builder, from, tti_place_plus(to, row.at), row.bytes);
    }
}

void tti_by_node_among_leaders(const tti_by_node *by, const tti_by_node_parts *parts, tti_builder *builder,
                               tti_place from, tti_place to, bool in_place, tti_build_fn *between)
{
    tti_shape shape = by->between;
    shape.parted = true;
    shape.in_place = in_place;
    *(parts->table == &parts->shape->send ? &shape.send : &shape.recv) = parts->nodes;
    shape.own = parts->nodes.counts[shape.rank];
    tti_build_part(builder, by->leaders);
    tti_build_place(builder, from, to, 0, TTI_BUILD_TAGS);
    between(&shape, builder);
    tti_build_whole(builder);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/by_node_phases.h"

#include "collectives/bcast/bcast.h"
#include "collectives/compose/by_node_window.h"
#include "collectives/compose/chunks.h"
#include "collectives/reduce/reduce.h"

void tti_by_node_up(tti_by_node *by, tti_builder *builder)
{
    tti_build_part(builder, by->local);
    if (by->inside.window > 0)
        tti_by_node_combine(by, builder);
    else if (!tti_by_node_alone(by))
        tti_reduce_knomial(&by->inside, builder);
}

static void pass_down(const tti_by_node *by, tti_builder *builder)
{
    tti_by_node_blocks blocks = tti_by_node_blocks_of(by, 0);
    tti_by_node_count(&blocks, tti_shape_bytes(&by->inside));
    tti_by_node_pass(by, builder, &blocks, tti_place_at(TTI_OUTPUT, 0), tti_shape_bytes(&by->inside));
    tti_build_whole(builder);
}

void tti_by_node_send_down(const tti_by_node *by, tti_builder *builder, tti_place place, size_t bytes)
{
    const size_t chunk = tti_chunk_bytes(&by->inside);
    tti_shape shape = by->inside;
    int tag = 0;
    shape.element = 1;
    tti_build_part(builder, by->local);
    for (size_t at = 0; at < bytes; at += chunk, tag++) {
        shape.count = chunk < bytes - at ? chunk : bytes - at;
        tti_build_place(builder, tti_place_at(TTI_INPUT, 0), tti_place_plus(place, at), TTI_TAG_DOWN + tag,
                        1);
        tti_bcast_knomial(&shape, builder);
    }
    tti_build_whole(builder);
}

/* What is in the leader's OUTPUT, down inside the node. */
static void go_down(const tti_by_node *by, tti_builder *builder)
{
    if (by->inside.window > 0)
        pass_down(by, builder);
    else
        tti_by_node_send_down(by, builder, tti_place_at(TTI_OUTPUT, 0), tti_shape_bytes(&by->inside));
}

void tti_by_node_spread(const tti_by_node *by, tti_builder *builder, tti_build_fn *between)
{
    if (by->leads) {
        tti_build_part(builder, by->leaders);
        between(&by->between, builder);
    }
    go_down(by, builder);
}

void tti_by_node_deal(const tti_by_node *by, tti_builder *builder, const tti_table *parts, tti_place from,
                      tti_place to)
{
    const size_t element = by->inside.element;
    if (by->inside.window > 0) {
        tti_by_node_deal_shared(by, builder, parts, from, to);
        return;
    }
    tti_build_part(builder, by->local);
    for (int place = 0; by->leads && place < by->inside.size; place++) {
        const tti_extent part = tti_table_part(parts, element, place);
        if (place != by->lead)
            tti_build_send(builder, tti_place_plus(from, part.at), part.bytes, place, TTI_TAG_DOWN);
    }
    if (!by->leads)
        tti_build_recv(builder, to, tti_table_part(parts, element, by->inside.rank).bytes, by->lead,
                       TTI_TAG_DOWN);
}

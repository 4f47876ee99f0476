/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "collectives/algorithms.h"
#include "runtime/base/status.h"

static const tti_algorithm barrier[] = {
    {"dissemination", tti_barrier_dissemination, TTI_TAKES_RADIX,
     "each round tells k-1 ranks ever farther on"},
    {"tree", tti_barrier_tree, TTI_TAKES_RADIX, "up and down a k-nomial tree"},
    {"by_node", tti_barrier_by_node, TTI_TAKES_RADIX | TTI_NEEDS_NODES,
     "inside each node, dissemination among the leaders"},
};
static const tti_algorithm bcast[] = {
    {"knomial", tti_bcast_knomial, TTI_TAKES_RADIX, "whole messages down a k-nomial tree"},
    {"scatter_ring", tti_bcast_scatter_ring, TTI_TAKES_RADIX, "scatter down a tree, allgather around a ring"},
    {"chain", tti_bcast_chain, TTI_TAKES_CHUNK, "chunks along a chain of all ranks"},
    {"by_node", tti_bcast_by_node, TTI_TAKES_RADIX | TTI_TAKES_CHUNK | TTI_NEEDS_NODES,
     "knomial among the leaders, then inside each node"},
    {"by_node_ring", tti_bcast_by_node_ring, TTI_TAKES_RADIX | TTI_TAKES_CHUNK | TTI_NEEDS_NODES,
     "scatter_ring among the leaders, then inside each node"},
    {"by_node_chain", tti_bcast_by_node_chain, TTI_TAKES_CHUNK | TTI_NEEDS_NODES,
     "chunks along a chain of the leaders, and into each node as they come"},
    {"by_leaders", tti_bcast_by_leaders, TTI_TAKES_RADIX | TTI_TAKES_LEADERS | TTI_NEEDS_NODES,
     "in parts, each by knomial among its leaders"},
    {"by_leaders_ring", tti_bcast_by_leaders_ring, TTI_TAKES_RADIX | TTI_TAKES_LEADERS | TTI_NEEDS_NODES,
     "in parts, each by scatter_ring among its leaders"},
};
static const tti_algorithm reduce[] = {
    {"knomial", tti_reduce_knomial, TTI_TAKES_RADIX, "whole messages up a k-nomial tree"},
    {"chain", tti_reduce_chain, TTI_TAKES_CHUNK, "chunks along a chain of all ranks"},
    {"by_node", tti_reduce_by_node, TTI_TAKES_RADIX | TTI_NEEDS_NODES | TTI_NEEDS_COMMUTING,
     "inside each node, knomial among the leaders"},
    {"by_node_chain", tti_reduce_by_node_chain, TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_NEEDS_COMMUTING,
     "inside each node, then chunks along a chain of the leaders"},
};
static const tti_algorithm allreduce[] = {
    {"recmul", tti_allreduce_recmul, TTI_TAKES_RADIX, "recursive multiplying, whole messages"},
    {"rabenseifner", tti_allreduce_rabenseifner, TTI_TAKES_RADIX, "recursive splitting, then gathering"},
    {"ring", tti_allreduce_ring, TTI_NEEDS_COMMUTING, "reduce-scatter and allgather around a ring"},
    {"by_node", tti_allreduce_by_node,
     TTI_TAKES_RADIX | TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_NEEDS_COMMUTING,
     "inside each node, recmul among the leaders"},
    {"by_node_split", tti_allreduce_by_node_split,
     TTI_TAKES_RADIX | TTI_TAKES_CHUNK | TTI_NEEDS_NODES | TTI_NEEDS_COMMUTING,
     "inside each node, rabenseifner among the leaders"},
    {"by_leaders", tti_allreduce_by_leaders,
     TTI_TAKES_RADIX | TTI_TAKES_LEADERS | TTI_NEEDS_NODES | TTI_NEEDS_COMMUTING,
     "in parts, each by recmul among its leaders"},
    {"by_leaders_split", tti_allreduce_by_leaders_split,
     TTI_TAKES_RADIX | TTI_TAKES_LEADERS | TTI_NEEDS_NODES | TTI_NEEDS_COMMUTING,
     "in parts, each by rabenseifner among its leaders"},
};
static const tti_algorithm allgather[] = {
    {"bruck", tti_allgather_bruck, TTI_TAKES_RADIX, "blocks multiply by k each round, then turn"},
    {"ring", tti_allgather_ring, 0, "each block once around a ring"},
    {"by_node", tti_allgather_by_node, TTI_TAKES_RADIX | TTI_NEEDS_NODES,
     "gather inside each node, bruck among the leaders"},
    {"by_node_ring", tti_allgather_by_node_ring, TTI_NEEDS_NODES,
     "gather inside each node, ring among the leaders"},
};

#define TABLE(array) array, (int)(sizeof(array) / sizeof((array)[0]))
static const tti_collective_info collectives[TTI_COLLECTIVES] = {
    [TTI_BARRIER] = {"barrier", false, false, TABLE(barrier)},
    [TTI_BCAST] = {"bcast", false, true, TABLE(bcast)},
    [TTI_REDUCE] = {"reduce", true, true, TABLE(reduce)},
    [TTI_ALLREDUCE] = {"allreduce", true, false, TABLE(allreduce)},
    [TTI_ALLGATHER] = {"allgather", false, false, TABLE(allgather)},
};

const tti_collective_info *tti_collective_describe(enum tti_collective collective)
{
    return &collectives[collective];
}

const tti_algorithm *tti_algorithm_find(enum tti_collective collective, const char *name, size_t length)
{
    const tti_collective_info *info = &collectives[collective];
    for (int i = 0; i < info->count; i++) {
        const tti_algorithm *row = &info->algorithms[i];
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) return row;
    }
    return NULL;
}

int tti_algorithm_build(const tti_algorithm *algorithm, const tti_shape *shape, tti_schedule **schedule)
{
    tti_builder *builder = tti_build_begin(shape->element);
    if (builder == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to build a collective's schedule");
    algorithm->build(shape, builder);
    return tti_build_finish(builder, schedule);
}

size_t tti_shape_input(enum tti_collective collective, const tti_shape *shape)
{
    const bool has_input = collective != TTI_BARRIER && collective != TTI_BCAST && !shape->in_place;
    return has_input ? tti_shape_bytes(shape) : 0;
}

size_t tti_shape_output(enum tti_collective collective, const tti_shape *shape)
{
    switch (collective) {
    case TTI_BCAST:
    case TTI_ALLREDUCE: return tti_shape_bytes(shape);
    case TTI_REDUCE: return shape->rank == shape->root ? tti_shape_bytes(shape) : 0;
    case TTI_ALLGATHER: return tti_shape_bytes(shape) * (size_t)shape->size;
    case TTI_BARRIER:
    case TTI_COLLECTIVES: break;
    }
    return 0;
}

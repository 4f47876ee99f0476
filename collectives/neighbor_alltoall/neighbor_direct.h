/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges between neighbours: by a message along each edge, or through the memory that ranks share; called
 * through the tables of their collectives, which are here. */
#ifndef TTI_COLLECTIVES_NEIGHBOR_DIRECT_H
#define TTI_COLLECTIVES_NEIGHBOR_DIRECT_H

#include "collectives/contract/contract.h"

/* To each target the part for it. */
void tti_neighbor_direct_parts(const tti_shape *shape, tti_builder *builder);
/* To each target the same. */
void tti_neighbor_direct_whole(const tti_shape *shape, tti_builder *builder);

void tti_neighbor_window_parts(const tti_shape *shape, tti_builder *builder);
void tti_neighbor_window_whole(const tti_shape *shape, tti_builder *builder);

/* Where parts are of one size. */
void tti_neighbor_shown_parts(const tti_shape *shape, tti_builder *builder);
void tti_neighbor_shown_whole(const tti_shape *shape, tti_builder *builder);

/* Through ranks between, on stencils; else direct. */
void tti_neighbor_combined_parts(const tti_shape *shape, tti_builder *builder);
void tti_neighbor_combined_whole(const tti_shape *shape, tti_builder *builder);

/* Joined by nodes, on grids and stencils; else as window. */
void tti_neighbor_by_node_parts(const tti_shape *shape, tti_builder *builder);
void tti_neighbor_by_node_whole(const tti_shape *shape, tti_builder *builder);

/* The same of parts that differ. */
void tti_neighbor_slots_parts(const tti_shape *shape, tti_builder *builder);
void tti_neighbor_slots_whole(const tti_shape *shape, tti_builder *builder);

/* What the caller has for one of its targets. */
tti_extent tti_neighbor_given(const tti_shape *shape, int target, bool whole);
/* What goes along edges that lead back: copies. */
void tti_neighbor_keep_own(const tti_shape *shape, tti_builder *builder, bool whole);

#define TTI_NEIGHBOR_WINDOW "through shared memory where there is, up to a chunk, and else direct"
#define TTI_NEIGHBOR_SHORT_BY_NODE "the same inside a node; on grids and stencils short parts share messages"
#define TTI_NEIGHBOR_SLOTS                                                                                   \
    (TTI_NEEDS_NODES | TTI_NEEDS_OFFSETS | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK)

static const tti_algorithm tti_neighbor_parts_algorithms[] = {
    {"direct", tti_neighbor_direct_parts, 0, "one message along each edge"},
    {"window", tti_neighbor_window_parts, TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     TTI_NEIGHBOR_WINDOW},
    {"by_node", tti_neighbor_slots_parts, TTI_NEIGHBOR_SLOTS, TTI_NEIGHBOR_SHORT_BY_NODE},
};

static const tti_algorithm tti_neighbor_whole_algorithms[] = {
    {"direct", tti_neighbor_direct_whole, 0, "one message to each target"},
    {"window", tti_neighbor_window_whole, TTI_TAKES_WINDOW | TTI_TAKES_CHUNK, TTI_NEIGHBOR_WINDOW},
    {"by_node", tti_neighbor_slots_whole, TTI_NEIGHBOR_SLOTS, TTI_NEIGHBOR_SHORT_BY_NODE},
};

/* Of those whose parts are of one size. */
#define TTI_NEIGHBOR_COMBINED "on stencils, dimension by dimension: few messages of many parts"
#define TTI_NEIGHBOR_BY_NODE "on grids and stencils, one message from each node to each other"
#define TTI_NEIGHBOR_SHOWN "each copies parts out of its sources' buffers, on one node"

static const tti_algorithm tti_neighbor_blocks_algorithms[] = {
    {"direct", tti_neighbor_direct_parts, 0, "one message along each edge"},
    {"window", tti_neighbor_window_parts, TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     TTI_NEIGHBOR_WINDOW},
    {"shown", tti_neighbor_shown_parts, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH, TTI_NEIGHBOR_SHOWN},
    {"combined", tti_neighbor_combined_parts, TTI_NEEDS_STENCIL, TTI_NEIGHBOR_COMBINED},
    {"by_node", tti_neighbor_by_node_parts,
     TTI_NEEDS_NODES | TTI_NEEDS_OFFSETS | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW, TTI_NEIGHBOR_BY_NODE},
};

static const tti_algorithm tti_neighbor_block_algorithms[] = {
    {"direct", tti_neighbor_direct_whole, 0, "one message to each target"},
    {"window", tti_neighbor_window_whole, TTI_TAKES_WINDOW | TTI_TAKES_CHUNK, TTI_NEIGHBOR_WINDOW},
    {"shown", tti_neighbor_shown_whole, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH, TTI_NEIGHBOR_SHOWN},
    {"combined", tti_neighbor_combined_whole, TTI_NEEDS_STENCIL, TTI_NEIGHBOR_COMBINED},
    {"by_node", tti_neighbor_by_node_whole,
     TTI_NEEDS_NODES | TTI_NEEDS_OFFSETS | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW, TTI_NEIGHBOR_BY_NODE},
};

/* The tables of defaults. What a rank gives its neighbours, and gets from them, stays in caches while it is
 * copied in and out: up to chunks of so many bytes among four ranks, among sixteen, and among more. Of one
 * that is the same for all neighbours each rank writes just that. */
#define OF_PARTS TTI_KIB(128), TTI_KIB(64), TTI_KIB(32)
#define OF_WHOLE TTI_KIB(256), TTI_KIB(256), TTI_KIB(64)

#define ROWS(algorithm, most, four, few, many, why)                                                          \
    {4, most(four), algorithm, 0, four, why}, {16, most(few), algorithm, 0, few, why},                       \
    {                                                                                                        \
        TTI_ANY_RANKS, most(many), algorithm, 0, many, why                                                   \
    }
/* The rows hold for parts of any size, or up to the chunk. */
#define ANY_SIZE(chunk) TTI_ANY_BYTES
#define UP_TO(chunk) chunk

#define SMALL "on a node small parts through its memory"

/* Of parts whose sizes two ranks alone know. */
#define PARTS(...)                                                                                           \
    ROWS("by_node", ANY_SIZE, __VA_ARGS__, "over several nodes short parts that share messages"),            \
        ROWS("window", ANY_SIZE, __VA_ARGS__, SMALL)

static const tti_default_row tti_neighbor_parts_defaults[] = {PARTS(OF_PARTS)};
static const tti_default_row tti_neighbor_whole_defaults[] = {PARTS(OF_WHOLE)};

/* Of parts of one size; by nodes up to `joined` bytes. */
#define EQUAL(joined)                                                                                        \
    {2, TTI_KIB(8), "window", 0, TTI_KIB(8), "two ranks of a node, small: no reading in buffers"},           \
        {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both can read: one copy"},      \
        {TTI_ANY_RANKS, joined, "by_node", 0, 0, "over several nodes parts that share messages"},            \
    {                                                                                                        \
        TTI_ANY_RANKS, TTI_KIB(4), "combined", 0, 0, "a stencil over nodes of one rank: few messages"        \
    }
#define SHOWN                                                                                                \
    {                                                                                                        \
        TTI_ANY_RANKS, TTI_ANY_BYTES, "shown", 0, 0, "on one node, buffers that all can read: one copy"      \
    }
#define WINDOWS(...) ROWS("window", UP_TO, __VA_ARGS__, SMALL)
#define DIRECT                                                                                               \
    {                                                                                                        \
        TTI_ANY_RANKS, TTI_ANY_BYTES, "direct", 0, 0, "large: each part moves once, straight into place"     \
    }

/* That have each edge's part: a window saves nothing but the kernel's call, and from some size on costs more
 * (copies_pay() in plan.c). */
static const tti_default_row tti_neighbor_blocks_defaults[] = {
    EQUAL(TTI_KIB(32)),
    {TTI_ANY_RANKS, TTI_KIB(32), "window", 0, TTI_KIB(32), SMALL},
    SHOWN,
    WINDOWS(OF_PARTS),
    DIRECT};
/* That have each rank's. */
static const tti_default_row tti_neighbor_block_defaults[] = {EQUAL(TTI_KIB(128)), WINDOWS(OF_WHOLE), SHOWN,
                                                              DIRECT};

#undef OF_PARTS
#undef OF_WHOLE
#undef ROWS
#undef ANY_SIZE
#undef UP_TO
#undef PARTS
#undef EQUAL
#undef SHOWN
#undef SMALL
#undef WINDOWS
#undef DIRECT

#endif

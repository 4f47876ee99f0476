/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts inside a node, on the memory that its ranks share (shape->window > 0). Of a WINDOW the lower half
 * serves for what goes up to the leader or around, the upper half, of the leader's, for what comes down. */
#ifndef TTI_COMPOSE_BY_NODE_WINDOW_H
#define TTI_COMPOSE_BY_NODE_WINDOW_H

#include "collectives/compose/by_node.h"

/* Where the upper half begins. */
static inline size_t tti_by_node_upper(const tti_by_node *by)
{
    return by->inside.window / 2;
}

/* What the ranks of each node have, combined in the leader's OUTPUT. */
void tti_by_node_combine(tti_by_node *by, tti_builder *builder);

/* Blocks that the leader shows one after the other, of all that goes down. */
typedef struct {
    size_t begin;  /* where the first place is, in the leader's WINDOW */
    size_t block;  /* bytes of one: a chunk, or less; whole elements */
    size_t stride; /* from one place to the next */
    int regions;   /* places for them, which take turns */
    int count;     /* of all of them */
    int passed;    /* so far */
    /* What the others do with a block of theirs: tti_build_copy_from(), or tti_build_reduce_from(). */
    int (*take)(tti_builder *builder, int peer, size_t offset, tti_place to, size_t bytes);
} tti_by_node_blocks;

/* Of no data yet, from `begin` on, up to a half, in the leader's WINDOW; others copy them. */
tti_by_node_blocks tti_by_node_blocks_of(const tti_by_node *by, size_t begin);
/* Counts those of so many bytes more. All are counted before the first one goes. */
static inline void tti_by_node_count(tti_by_node_blocks *blocks, size_t bytes)
{
    blocks->count += (int)((bytes + blocks->block - 1) / blocks->block);
}
/* Gives what is at `place` at the leader to all others of its node, at the same place. It is the last thing
 * that its posts are for. */
void tti_by_node_pass(const tti_by_node *by, tti_builder *builder, tti_by_node_blocks *blocks,
                      tti_place place, size_t bytes);

/* Of what is at `from` at the leader each of the others gets its part at `to`; as tti_by_node_deal(). */
void tti_by_node_deal_shared(const tti_by_node *by, tti_builder *builder, const tti_table *parts,
                             tti_place from, tti_place to);

#endif

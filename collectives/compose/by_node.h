/* SPDX-License-Identifier: BSD-3-Clause */
/* Compositions: a collective of all ranks made of collectives inside each node and one among the nodes'
 * leaders. Each part is an algorithm like any other, built into the same schedule with tti_build_part(), so
 * that the whole is proved and executed like any other. Inside a node they pass messages, or blocks through
 * the memory that its ranks share, where they do (shape->window); nodes need not do alike. */
#ifndef TTI_COMPOSE_BY_NODE_H
#define TTI_COMPOSE_BY_NODE_H

#include "collectives/contract/algorithm.h"

/* The caller's place in both parts. */
typedef struct {
    const int *local;            /* the ranks of the caller's node */
    const int *leaders;          /* of each node, in the order of the nodes */
    int lead;                    /* place of the leader among `local` */
    bool leads;                  /* the caller is it */
    tti_shape inside, between;   /* shapes of the two parts; between is meaningful for leaders alone */
    int lead_posts, other_posts; /* that the leader and each other rank of the node has made so far */
} tti_by_node;

/* The leader of a node is its first rank, but of the root's node it is the root. Both shapes have the leader,
 * or the root's node, as their root. False if memory is out (the builder remembers). */
bool tti_by_node_open(const tti_shape *shape, tti_builder *builder, tti_by_node *by);
/* The same where the last rank of each node is its leader, and there is no root. */
bool tti_by_node_open_last(const tti_shape *shape, tti_builder *builder, tti_by_node *by);

/* The first part of a reduction: what the ranks of each node have, combined in the leader's OUTPUT. It is not
 * there where the leader is alone (tti_by_node_alone()), and has its own where it was. */
void tti_by_node_up(tti_by_node *by, tti_builder *builder);
static inline bool tti_by_node_alone(const tti_by_node *by)
{
    return by->inside.size == 1;
}

/* The last two parts: `between` among the leaders, and what it leaves in their OUTPUT down inside each node.
 */
void tti_by_node_spread(const tti_by_node *by, tti_builder *builder,
                        void (*between)(const tti_shape *, tti_builder *));

/* Down a tree inside the node by messages of at most a chunk, each as soon as it is there: what is at `place`
 * of the leader. Their tags begin at TTI_TAG_DOWN. */
enum { TTI_TAG_DOWN = 1 };
void tti_by_node_send_down(const tti_by_node *by, tti_builder *builder, tti_place place, size_t bytes);

/* Of what is at `from` at the leader each of the others of its node gets its part at `to`; the parts lie one
 * after the other, as the table by places says that all of them have. It is the last thing that the leader's
 * posts are for. */
void tti_by_node_deal(const tti_by_node *by, tti_builder *builder, const tti_table *parts, tti_place from,
                      tti_place to);

/* -- by_node_window.c, where the ranks of the node share memory -- */
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

/* tti_by_node_deal() there. */
void tti_by_node_deal_shared(const tti_by_node *by, tti_builder *builder, const tti_table *parts,
                             tti_place from, tti_place to);

#endif

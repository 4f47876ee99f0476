/* SPDX-License-Identifier: BSD-3-Clause */
/* Compositions: a collective of all ranks made of collectives inside each node and one among the nodes'
 * leaders. Each part is an algorithm like any other, built into the same schedule with tti_build_part(), so
 * that the whole is proved and executed like any other. */
#ifndef TTI_COLLECTIVES_BY_NODE_H
#define TTI_COLLECTIVES_BY_NODE_H

#include "collectives/algorithm.h"

/* The caller's place in both parts. */
typedef struct {
    const int *local;          /* the ranks of the caller's node */
    const int *leaders;        /* of each node, in the order of the nodes */
    int lead;                  /* place of the leader among `local` */
    bool leads;                /* the caller is it */
    tti_shape inside, between; /* shapes of the two parts; between is meaningful for leaders alone */
} tti_by_node;

/* The leader of a node is its first rank, but of the root's node it is the root. Both shapes have the leader,
 * or the root's node, as their root. False if memory is out (the builder remembers). */
bool tti_by_node_open(const tti_shape *shape, tti_builder *builder, tti_by_node *by);

/* The last two parts: `between` among the leaders, and what it leaves in their OUTPUT down inside each node.
 */
void tti_by_node_spread(const tti_by_node *by, tti_builder *builder,
                        void (*between)(const tti_shape *, tti_builder *));

/* Only the last of them: what is in the leader's OUTPUT down a tree inside the node, in messages of at most a
 * chunk, each as soon as it is there. Their tags begin at TTI_TAG_DOWN. */
enum { TTI_TAG_DOWN = 1 };
void tti_by_node_down(const tti_by_node *by, tti_builder *builder);

#endif

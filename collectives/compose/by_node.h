/* SPDX-License-Identifier: BSD-3-Clause */
/* Compositions: a collective of all ranks made of collectives inside each node and one among the nodes'
 * leaders. Each part is an algorithm like any other, built into the same schedule with tti_build_part(), so
 * that the whole is proved and executed like any other. Here is who takes which place in them;
 * by_node_phases.h has the parts inside a node. */
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

/* Whether the caller's node has no other rank. */
static inline bool tti_by_node_alone(const tti_by_node *by)
{
    return by->inside.size == 1;
}

#endif

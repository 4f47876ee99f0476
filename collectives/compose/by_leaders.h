/* SPDX-License-Identifier: BSD-3-Clause */
/* Compositions with several leaders a node. The data is cut into parts; each part has a leader on each node,
 * and the leaders of a part work among themselves, all parts at once: every processor of a node takes its
 * share of the copying and combining, and every network card or NUMA domain its share of the traffic. */
#ifndef TTI_COMPOSE_BY_LEADERS_H
#define TTI_COMPOSE_BY_LEADERS_H

#include "collectives/contract/algorithm.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    const int *local; /* the ranks of the caller's node */
    int size, place;  /* their number, and the caller's place among them */
    int parts;
    int *peers;  /* of the part under way: its leader on each node */
    bool shares; /* inside the node they pass pieces through memory that they share, and no messages */
    int posts;   /* that each rank of the node has made so far */
} tti_by_leaders;

/* Parts are as many as leaders are wanted, but not more than ranks on the largest node. False if memory is
 * out (the builder remembers). */
bool tti_by_leaders_open(const tti_shape *shape, tti_builder *builder, tti_by_leaders *by);

/* Place in the caller's node of the leader of a part. Leaders are spread over the node's ranks in order; on
 * the root's node the root leads part 0. A node with fewer ranks than there are parts has ranks that lead
 * several. */
int tti_by_leaders_here(const tti_by_leaders *by, int part);
/* The part that the caller takes in its `turn`-th turn: each rank begins elsewhere, so that not all work with
 * the same leader at a time. */
int tti_by_leaders_turn(const tti_by_leaders *by, int turn);

/* Where a part is in the data. */
static inline tti_extent tti_by_leaders_part(const tti_by_leaders *by, int part)
{
    return tti_shape_cut(by->shape, by->parts, part);
}

/* Builds `between` among the leaders of each part that the caller leads; ranks are nodes, the root is the
 * root's node. */
void tti_by_leaders_between(const tti_by_leaders *by, bool in_place, tti_build_fn *between);
/* By messages: the leaders of each part give it, out of their OUTPUT, to all ranks of their node but `except`
 * (-1: none). Where they share memory: tti_by_leaders_spread_shared(). */
void tti_by_leaders_spread(const tti_by_leaders *by, int except);

#endif

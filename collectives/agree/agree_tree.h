/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of an agreement, and where a rank stands in it as far as it knows who is dead. */
#ifndef TTI_AGREE_TREE_H
#define TTI_AGREE_TREE_H

#include "collectives/agree/agree_types.h"
#include "collectives/patterns/node_map.h"

/* Makes a tree of which the parents are set: all ranks the same. */
void tti_agree_grow(tti_agree_branch *tree, int size);
/* The same with the parents, as a communicator's ranks lie on `nodes`; NULL: where they lie does not help. */
void tti_agree_plant(tti_agree_branch *tree, int size, const tti_node_map *nodes);

/* The nearest living ancestor, else the first living rank; -1: that is this one. */
int tti_agree_parent(const tti_agree_state *s);
/* Whether `rank` and all below it that live have said what they say. Goes below dead ranks alone, and below
 * this one. What a dead rank has said does not stand for those below it: if it lives after all, and only the
 * connection to it is broken, they may have gone on without this rank. */
bool tti_agree_covers(const tti_agree_state *s, const tti_agree_round *r, int rank);
/* Asks those below `rank` that are waited for in the place of dead ranks: they may not know that they are,
 * nor of those. */
void tti_agree_ask(const tti_agree_state *s, tti_agree_round *r, int rank);
/* Asks those directly below this rank, too, in the agreement that it has just begun: some may have freed the
 * communicator, and say nothing by themselves. */
void tti_agree_ask_below(tti_agree_state *s);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a tree to each node's leader, dissemination among the leaders, down again. One message a node and round
 * goes over the network.
 *
 *   3 nodes of 2       1 → 0, 3 → 2, 5 → 4        0, 2, 4 all with all        0 → 1, 2 → 3, 4 → 5        */
#include "collectives/barrier/barrier.h"
#include "collectives/compose/by_node.h"
#include "collectives/patterns/tree.h"

enum { TAG_UP, TAG_DOWN };

static void gather_up(const tti_tree *tree, tti_builder *builder)
{
    for (int i = 0; i < tree->children; i++)
        tti_build_await(builder, tti_tree_child(tree, i), TAG_UP);
    tti_build_fence(builder);
    if (tree->parent >= 0) tti_build_signal(builder, tree->parent, TAG_UP);
    tti_build_fence(builder);
}

static void release_down(const tti_tree *tree, tti_builder *builder)
{
    if (tree->parent >= 0) tti_build_await(builder, tree->parent, TAG_DOWN);
    tti_build_fence(builder);
    for (int i = tree->children - 1; i >= 0; i--)
        tti_build_signal(builder, tti_tree_child(tree, i), TAG_DOWN);
}

/* On shared memory all tell the leader, who tells all. */
static void meet_leader(const tti_by_node *by, tti_builder *builder)
{
    if (by->leads)
        tti_build_await_post(builder, TTI_ALL, 1);
    else
        tti_build_post(builder, by->lead);
    tti_build_fence(builder);
}

static void follow_leader(const tti_by_node *by, tti_builder *builder)
{
    if (by->leads)
        tti_build_post(builder, TTI_ALL);
    else
        tti_build_await_post(builder, by->lead, 1);
}

void tti_barrier_by_node(const tti_shape *shape, tti_builder *builder)
{
    tti_by_node by;
    tti_tree tree;
    if (!tti_by_node_open(shape, builder, &by)) return;
    tti_tree_open(by.inside.rank, by.inside.size, by.inside.radix, &tree);
    const bool shares = by.inside.window > 0 && !tti_by_node_alone(&by);
    tti_build_part(builder, by.local);
    if (shares)
        meet_leader(&by, builder);
    else
        gather_up(&tree, builder);
    if (by.leads) {
        tti_build_part(builder, by.leaders);
        tti_barrier_dissemination(&by.between, builder);
        tti_build_fence(builder);
    }
    tti_build_part(builder, by.local);
    if (shares)
        follow_leader(&by, builder);
    else
        release_down(&tree, builder);
    tti_build_part(builder, NULL);
}

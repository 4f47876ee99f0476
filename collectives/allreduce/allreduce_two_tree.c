/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks go up two binary trees by turns to rank 0, and down the same one again, while others follow: about
 * (4·log P + n/c)·(2α + 2cβ + 2cγ), in half as many rounds as a tree, and few where a ring takes P. Ranks are
 * in order in both trees (reduce's algorithm of this name has the picture), so the operation need not
 * commute.
 *
 * P. Sanders, J. Speck, J. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
 * 2009; S. Jeaugey, "Massively scale your deep learning training with NCCL 2.4", 2019. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/chunks.h"
#include "collectives/compose/two_tree_up.h"

static void pass_down(const tti_two_tree_up *up, const tti_up_chunk *chunk)
{
    const tti_two_tree *tree = &up->tree[chunk->number % 2];
    const tti_place output = tti_place_at(TTI_OUTPUT, chunk->at);
    const int children[] = {tree->low, tree->high}, tag = chunk->number;
    if (tree->parent >= 0)
        tti_build_recv(up->builder, output, chunk->bytes, tti_two_tree_rank(up, tree->parent), tag);
    for (int i = 0; i < 2; i++)
        if (children[i] >= 0)
            tti_build_send(up->builder, output, chunk->bytes, tti_two_tree_rank(up, children[i]), tag);
}

void tti_allreduce_two_tree(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), most = tti_chunk_elements(shape);
    tti_two_tree_up up;
    tti_two_tree_up_open(shape, builder, 0, &up);
    tti_up_chunk chunk = {0};
    for (; chunk.at < bytes; chunk.at += most, chunk.number++) {
        chunk.bytes = most < bytes - chunk.at ? most : bytes - chunk.at;
        const int parent = up.tree[chunk.number % 2].parent;
        const tti_place sum = tti_two_tree_take(&up, &chunk, true);
        if (parent >= 0)
            tti_build_send(builder, sum, chunk.bytes, tti_two_tree_rank(&up, parent), chunk.number);
        else
            tti_build_copy(builder, sum, tti_place_at(TTI_OUTPUT, chunk.at), chunk.bytes);
        pass_down(&up, &chunk);
    }
}

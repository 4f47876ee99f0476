/* SPDX-License-Identifier: BSD-3-Clause */
/* k-nomial trees over virtual ranks 0 … size-1 with root 0: every subtree is a contiguous range. Pure. */
#ifndef TTI_PATTERNS_TREE_H
#define TTI_PATTERNS_TREE_H

typedef struct {
    int rank, size, radix;
    int parent;   /* -1 at the root */
    int span;     /* the subtree is ranks rank … rank + span - 1 */
    int children; /* their number */
} tti_tree;

void tti_tree_open(int rank, int size, int radix, tti_tree *tree);
/* The index-th child, nearest (and smallest subtree) first. */
int tti_tree_child(const tti_tree *tree, int index);
/* Ranks in the subtree of the index-th child. */
int tti_tree_child_span(const tti_tree *tree, int index);

/* A rank as seen from `root`, which becomes 0, and back. */
static inline int tti_rotate(int rank, int root, int size)
{
    return rank >= root ? rank - root : rank - root + size;
}
static inline int tti_rotate_back(int rotated, int root, int size)
{
    return rotated < size - root ? rotated + root : rotated - (size - root);
}

#endif

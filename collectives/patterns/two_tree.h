/* SPDX-License-Identifier: BSD-3-Clause */
/* Two binary trees over places 0 … size - 1, both hanging from place 0, in which no place has children in
 * both that does not hang from place 0 itself: whatever comes down both, by turns, each place passes on about
 * once. In order: what is below a child is a row of places, all lower or all higher than its parent. Pure.
 *
 * P. Sanders, J. Speck, J. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
 * 2009. */
#ifndef TTI_PATTERNS_TWO_TREE_H
#define TTI_PATTERNS_TWO_TREE_H

typedef struct {
    int parent, low, high; /* places; -1: none */
} tti_two_tree;

/* A place of tree 0 or 1. */
tti_two_tree tti_two_tree_at(int place, int size, int tree);

#endif

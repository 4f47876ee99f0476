/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/patterns/tree.h"

#include "collectives/patterns/radix.h"

/* radix 2, size 8:            0
 *                      /      |    \
 *                     4       2     1
 *                   /   \     |
 *                  6     5    3         subtree of 4: 4 … 7
 *                  |
 *                  7
 * A rank's lowest nonzero digit (base k) is its number among its parent's children of that round. */
void tti_tree_open(int rank, int size, int radix, tti_tree *tree)
{
    *tree = (tti_tree){.rank = rank, .size = size, .radix = radix, .parent = -1, .span = size};
    for (int64_t power = 1; power < size; power *= radix) {
        const int digit = (int)(rank / power % radix);
        if (digit == 0) continue;
        tree->parent = (int)(rank - digit * power);
        tree->span = power < size - rank ? (int)power : size - rank;
        break;
    }
    tree->children = tti_radix_count(tree->span, radix);
}

int tti_tree_child(const tti_tree *tree, int index)
{
    return tree->rank + (int)tti_radix_distance(index, tree->radix);
}

int tti_tree_child_span(const tti_tree *tree, int index)
{
    const int64_t span = tti_radix_power(tree->radix, tti_radix_round(index, tree->radix));
    const int left = tree->span - (int)tti_radix_distance(index, tree->radix);
    return span < left ? (int)span : left;
}

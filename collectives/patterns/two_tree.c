/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/patterns/two_tree.h"

/* One tree, over 0 … last:     0 ─────────┐
 *                                    4 ──┴──┐       how often 2 divides a place is its height, so the odd
 *                                 2 ─┴┐   6 ┴┐      ones have no children
 *                                1    3  5   7                                                         */
static tti_two_tree in_order(int place, int last)
{
    tti_two_tree node = {-1, -1, -1};
    int step = 1;
    if (place == 0) {
        while (2LL * step <= last)
            step *= 2;
        if (last > 0) node.high = step;
        return node;
    }
    while ((place & step) == 0)
        step *= 2;
    const long long above = (long long)(place ^ step) | 2LL * step;
    node.parent = above <= last ? (int)above : place ^ step;
    if (step == 1) return node;
    node.low = place - step / 2;
    for (step /= 2; step > 0 && node.high < 0; step /= 2)
        if (place <= last - step) node.high = place + step;
    return node;
}

/* Places beyond `by` are `by` higher. */
static int shifted(int place, int by)
{
    return place < 0 ? -1 : place + by;
}

/* The mirror image of 1 … last. */
static int mirrored(int place, int last)
{
    return place <= 0 ? place : last + 1 - place;
}

/* The second tree is the first one of the other places mirrored, or shifted by one, where that makes the odd
 * ones those with children. */
tti_two_tree tti_two_tree_at(int place, int size, int tree)
{
    const int last = size - 1;
    if (tree == 0) return in_order(place, last);
    if (last % 2 == 0) {
        const tti_two_tree node = in_order(mirrored(place, last), last);
        const tti_two_tree turned = {mirrored(node.parent, last), mirrored(node.high, last),
                                     mirrored(node.low, last)};
        if (place > 0) return turned;
        return (tti_two_tree){-1, -1, mirrored(node.high, last)};
    }
    if (place == 0) return (tti_two_tree){-1, -1, 1};
    const tti_two_tree node = in_order(place - 1, last - 1);
    return (tti_two_tree){place == 1 ? 0 : shifted(node.parent, 1), shifted(node.low, 1),
                          shifted(node.high, 1)};
}

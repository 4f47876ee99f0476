/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways in which ranks may lie on nodes, for algorithms that look at it. */
#ifndef TESTS_PROOF_LAYOUTS_H
#define TESTS_PROOF_LAYOUTS_H

#include "collectives/patterns/node_map.h"
#include "tests/unit/expect.h"

#define LAYOUT_RANKS_MOST 256

enum layout { LAYOUT_PAIRS, LAYOUT_SEVENS, LAYOUT_DEALT, LAYOUT_UNEVEN, LAYOUT_GROWING, LAYOUTS };

static int layout_node(enum layout layout, int rank, int size)
{
    switch (layout) {
    case LAYOUT_PAIRS: return rank / 2;
    case LAYOUT_SEVENS: return rank / 7;
    case LAYOUT_DEALT: return -(rank % 3); /* in turns, labels descending */
    case LAYOUT_UNEVEN: return rank < size / 3 ? rank : size;
    case LAYOUT_GROWING: return rank / 8 * 3 + (rank % 8 > 0) + (rank % 8 > 2); /* 1, 2, 5, and again */
    case LAYOUTS: break;
    }
    return 0;
}

/* Freed by the caller with tti_node_map_free(). */
static inline tti_node_map *layout_make(enum layout layout, int size)
{
    int labels[LAYOUT_RANKS_MOST];
    EXPECT(size <= LAYOUT_RANKS_MOST);
    for (int r = 0; r < size; r++)
        labels[r] = layout_node(layout, r, size);
    tti_node_map *map = tti_node_map_make(labels, size);
    EXPECT(map != NULL);
    return map;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of ranks that are in a row as seen from a root (tree.h), where all blocks lie in the order of ranks.
 * Pure. */
#ifndef TTI_PATTERNS_TURNED_H
#define TTI_PATTERNS_TURNED_H

#include "collectives/patterns/tree.h"

typedef struct {
    int first, count; /* ranks */
} tti_rank_row;

/* The ranks that `root` sees as v … v + span - 1, in two runs of ranks in a row, as they go on with rank 0
 * beyond the last; the second one may be empty. */
static inline void tti_turned_rows_of(int v, int span, int root, int size, tti_rank_row run[2])
{
    const int first = tti_rotate_back(v, root, size);
    const int straight = span < size - first ? span : size - first;
    run[0] = (tti_rank_row){first, straight};
    run[1] = (tti_rank_row){0, span - straight};
}

#endif

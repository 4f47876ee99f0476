/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of ranks that are in a row as seen from a root (patterns/turned.h), where all parts lie one after
 * the other in the order of ranks. */
#ifndef TTI_COMPOSE_TURNED_ROWS_H
#define TTI_COMPOSE_TURNED_ROWS_H

#include "collectives/contract/algorithm.h"
#include "collectives/patterns/turned.h"

/* Those of the ranks that shape->root sees as v … v + span - 1, in two rows; the second one may be empty. */
static inline void tti_turned_rows(const tti_shape *shape, const tti_table *table, int v, int span,
                                   tti_extent row[2])
{
    tti_rank_row runs[2];
    tti_turned_rows_of(v, span, shape->root, shape->size, runs);
    for (int i = 0; i < 2; i++)
        row[i] = tti_shape_row(shape, table, runs[i].first, runs[i].count);
}

static inline size_t tti_turned_bytes(const tti_shape *shape, const tti_table *table, int v, int span)
{
    tti_extent row[2];
    tti_turned_rows(shape, table, v, span, row);
    return row[0].bytes + row[1].bytes;
}

#endif

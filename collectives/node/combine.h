/* SPDX-License-Identifier: BSD-3-Clause */
/* Combining contributions that lie in shared memory, in the order of the ranks. */
#ifndef TTI_COLLECTIVES_COMBINE_H
#define TTI_COLLECTIVES_COMBINE_H

#include "collectives/node/node_collectives.h"

/* Where rank `rank`'s contribution is. */
typedef const unsigned char *tti_source_fn(const tti_board *board, int rank, const void *context);

static inline const unsigned char *tti_reduction_own(const tti_reduction *r)
{
    return r->input != NULL ? r->input : r->output;
}

/* `elements` of all ranks, into `to` and, if not NULL, into `also`. `to` may be one of the sources. */
void tti_board_combine(tti_board *board, const tti_reduction *r, size_t elements, tti_source_fn *source,
                       const void *context, unsigned char *to, unsigned char *also);

/* One piece of that, from byte `from` of each source on, into `to`, which is none of the sources. */
void tti_board_combine_piece(const tti_board *board, const tti_reduction *r, size_t from, size_t elements,
                             tti_source_fn *source, const void *context, unsigned char *to);

/* The same for contributions in the cells of the operation under way. */
void tti_board_combine_cells(tti_board *board, const tti_reduction *r, unsigned char *to);

#endif

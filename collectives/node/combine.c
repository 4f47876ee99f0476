/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/combine.h"

#include <string.h>

#include "collectives/contract/op.h"
#include "runtime/base/copy.h"
#include "runtime/base/hot.h"

/* From the last rank down, as an operation takes what is from the lower ranks on its left. */
TTI_HOT void tti_board_combine_piece(const tti_board *board, const tti_reduction *r, size_t from,
                                     size_t elements, tti_source_fn *source, const void *context,
                                     unsigned char *to)
{
    memcpy(to, source(board, board->size - 1, context) + from, elements * r->element);
    for (int rank = board->size - 2; rank >= 0; rank--)
        tti_op_apply(r->op, source(board, rank, context) + from, to, elements, r->type);
}

void tti_board_combine(tti_board *board, const tti_reduction *r, size_t elements, tti_source_fn *source,
                       const void *context, unsigned char *to, unsigned char *also)
{
    /* In pieces that stay in the first cache while rank after rank is added. */
    const size_t most = TTI_BOARD_SCRATCH / r->element;
    const bool in_place = r->input == NULL;
    for (size_t done = 0; done < elements; done += most) {
        const size_t part = elements - done < most ? elements - done : most;
        const size_t at = done * r->element, bytes = part * r->element;
        unsigned char *sum = in_place ? board->scratch : to + at;
        tti_board_combine_piece(board, r, at, part, source, context, sum);
        if (in_place) memcpy(to + at, sum, bytes);
        if (also != NULL) memcpy(also + at, sum, bytes);
    }
}

TTI_HOT void tti_board_combine_cells(tti_board *board, const tti_reduction *r, unsigned char *to)
{
    const size_t bytes = r->count * r->element;
    const unsigned char *last = tti_board_cell(board, board->size - 1)->data;
    tti_copy_short(to, last, bytes);
    for (int rank = board->size - 2; rank >= 0; rank--)
        tti_op_apply(r->op, tti_board_cell(board, rank)->data, to, r->count, r->type);
}

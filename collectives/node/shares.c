/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/shares.h"

#include "collectives/node/offer.h"
#include "runtime/base/copy.h"

static tti_part part_of(const tti_board *board, const tti_shares *s, size_t k, int rank)
{
    return tti_block_part(board, s->blocks, k, s->r->element, rank);
}

static int fill(tti_board *board, const tti_shares *s, size_t k)
{
    const uint64_t number = board->blocks + k;
    const int code = tti_blocks_await_free(board, number);
    if (code < 0) return code;
    const unsigned char *from = tti_reduction_own(s->r) + tti_block_at(s->blocks, k);
    unsigned char *to = tti_board_buffer(board, board->rank, number);
    const tti_part own = part_of(board, s, k, board->rank);
    const size_t after = own.at + own.bytes;
    tti_copy_long(to, from, own.at);
    tti_copy_long(to + after, from + after, tti_block_bytes(s->blocks, k) - after);
    return 0;
}

int tti_shares_fill(tti_board *board, const tti_shares *s, size_t k)
{
    const int code = fill(board, s, k);
    if (code == 0 && k > 0) tti_board_fill_to(board, board->blocks + k + 1);
    return code;
}

int tti_shares_fill_late(tti_board *board, const tti_shares *s)
{
    const int code = fill(board, s, 0);
    if (code == 0) tti_board_fill_to(board, board->blocks + 1);
    return code;
}

/* The first block of a rank that offered its buffers was filled after the meeting. */
static int await_first(tti_board *board)
{
    int code = 0;
    for (int r = 0; r < board->size && code == 0; r++)
        if (r != board->rank && tti_offer_late(board, r))
            code = tti_board_await_filled(board, r, board->blocks + 1);
    return code;
}

/* The own part of a block, for the one who looks for the others' contributions to it. */
typedef struct {
    const unsigned char *own;
    uint64_t number;
    size_t at;
} place;

static const unsigned char *source(const tti_board *board, int rank, const void *context)
{
    const place *p = context;
    return rank == board->rank ? p->own : tti_board_buffer(board, rank, p->number) + p->at;
}

int tti_shares_reduce(tti_board *board, const tti_shares *s, size_t k, unsigned char *to)
{
    const uint64_t number = board->blocks + k;
    const tti_part own = part_of(board, s, k, board->rank);
    const place p = {tti_reduction_own(s->r) + tti_block_at(s->blocks, k) + own.at, number, own.at};
    const int code = k > 0 ? tti_board_await_all_filled(board, number + 1) : await_first(board);
    if (code < 0) return code;
    unsigned char *shown = tti_board_part(board, board->rank, number);
    const size_t elements = own.bytes / s->r->element;
    if (to != NULL)
        tti_board_combine(board, s->r, elements, source, &p, to + own.at, shown);
    else
        tti_board_combine(board, s->r, elements, source, &p, shown, NULL);
    tti_board_done_to(board, number + 1);
    return 0;
}

int tti_shares_collect(tti_board *board, const tti_shares *s, size_t k)
{
    const uint64_t number = board->blocks + k;
    const int code = tti_board_await_all_done(board, number + 1);
    if (code < 0) return code;
    unsigned char *to = s->r->output + tti_block_at(s->blocks, k);
    for (int i = 1; i < board->size; i++) {
        const int rank = (board->rank + i) % board->size;
        const tti_part part = part_of(board, s, k, rank);
        tti_copy_long(to + part.at, tti_board_part(board, rank, number), part.bytes);
    }
    return 0;
}

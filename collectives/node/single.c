/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/single.h"

#include <string.h>

#include "collectives/contract/op.h"
#include "collectives/node/combine.h"
#include "collectives/node/direct.h"
#include "collectives/node/offer.h"
#include "collectives/node/reach.h"

/* Copying takes a call of the kernel each, which pays from some size of a rank's part on. */
bool tti_single_fits(const tti_board *board, enum tti_crossing_collective collective, size_t bytes)
{
    if (!board->copies || bytes <= board->small) return false;
    if (board->shape.crowded && collective != TTI_CROSSING_REDUCE) return false;
    return bytes / (size_t)board->size > board->ways.single_part;
}

/* The part of a vector that a rank reduces for all. */
static tti_part part_of(const tti_board *board, const tti_reduction *r, int rank)
{
    return tti_part_of(board, r->count, r->element, rank);
}

/* A rank's contribution of `bytes` at `at`, here or fetched into `room`; NULL and *code on failure. */
static const unsigned char *contribution(tti_board *board, const tti_reduction *r, int rank, size_t at,
                                         size_t bytes, unsigned char *room, int *code)
{
    if (rank == board->rank) return tti_reduction_own(r) + at;
    *code = tti_reach_read(board, rank, tti_offer_of(board, rank)->input.address + at, room, bytes);
    return *code < 0 ? NULL : room;
}

/* Sums a piece into `sum`, from the last rank down as operations want it (combine.c). `sum` is not the own
 * contribution. */
static int combine(tti_board *board, const tti_reduction *r, size_t at, size_t bytes, unsigned char *sum)
{
    int code = 0;
    const unsigned char *last = contribution(board, r, board->size - 1, at, bytes, sum, &code);
    if (last != NULL && last != sum) memcpy(sum, last, bytes);
    for (int rank = board->size - 2; rank >= 0 && code == 0; rank--) {
        const unsigned char *next = contribution(board, r, rank, at, bytes, board->fetched, &code);
        if (next != NULL) tti_op_apply(r->op, next, sum, bytes / r->element, r->type);
    }
    return code;
}

/* Hands a piece of the result to the root. */
static int put(tti_board *board, int root, size_t at, const unsigned char *sum, size_t bytes)
{
    const uint64_t address = tti_offer_of(board, root)->output.address + at;
    return tti_reach_write(board, root, address, sum, bytes);
}

/* Reduces a part piece by piece, into the output of this rank (`root` < 0) or the root. */
static int reduce_part(tti_board *board, const tti_reduction *r, tti_part part, int root)
{
    const size_t most = TTI_BOARD_FETCHED / r->element * r->element;
    const bool mine = root < 0 || root == board->rank, aside = !mine || r->input == NULL;
    int code = 0;
    for (size_t done = 0; done < part.bytes && code == 0; done += most) {
        const size_t at = part.at + done, bytes = part.bytes - done < most ? part.bytes - done : most;
        unsigned char *sum = aside ? board->sum : r->output + at;
        code = combine(board, r, at, bytes, sum);
        if (code == 0 && aside && mine) memcpy(r->output + at, sum, bytes);
        if (code == 0 && !mine) code = put(board, root, at, sum, bytes);
    }
    return code;
}

static int collect(tti_board *board, const tti_reduction *r)
{
    int code = 0;
    for (int i = 1; i < board->size && code == 0; i++) {
        const int rank = (board->rank + i) % board->size;
        const tti_part part = part_of(board, r, rank);
        code = tti_reach_read(board, rank, tti_offer_of(board, rank)->output.address + part.at,
                              r->output + part.at, part.bytes);
    }
    return code;
}

static int end(tti_board *board, int code)
{
    return code == 0 ? tti_direct_end(board) : tti_direct_fail(board, code);
}

int tti_single_allreduce(tti_board *board, const tti_reduction *r)
{
    const int code = end(board, reduce_part(board, r, part_of(board, r, board->rank), -1));
    return code == 0 ? end(board, collect(board, r)) : code;
}

int tti_single_reduce(tti_board *board, const tti_reduction *r, int root)
{
    return end(board, reduce_part(board, r, part_of(board, r, board->rank), root));
}

/* Hands a piece of the result to one rank, or all. */
static int put_all(tti_board *board, int root, size_t at, const unsigned char *sum, size_t bytes,
                   const tti_reduction *r)
{
    int code = 0;
    for (int rank = 0; rank < board->size && code == 0; rank++) {
        if (root >= 0 && rank != root) continue;
        if (rank == board->rank)
            memcpy(r->output + at, sum, bytes);
        else
            code = put(board, rank, at, sum, bytes);
    }
    return code;
}

int tti_single_reduce_for(tti_board *board, const tti_reduction *r, int root)
{
    const tti_part own = part_of(board, r, board->rank);
    const size_t most = TTI_BOARD_FETCHED / r->element * r->element;
    int code = 0;
    for (size_t done = 0; done < own.bytes && code == 0; done += most) {
        const size_t at = own.at + done, bytes = own.bytes - done < most ? own.bytes - done : most;
        code = combine(board, r, at, bytes, board->sum);
        if (code == 0) code = put_all(board, root, at, board->sum, bytes, r);
    }
    return end(board, code);
}

int tti_single_allgather(tti_board *board, unsigned char *out, size_t bytes)
{
    int code = 0;
    for (int i = 1; i < board->size && code == 0; i++) {
        const int rank = (board->rank + i) % board->size;
        code = tti_reach_read(board, rank, tti_offer_of(board, rank)->input.address,
                              out + (size_t)rank * bytes, bytes);
    }
    return end(board, code);
}

int tti_single_bcast(tti_board *board, unsigned char *buf, size_t bytes, int root)
{
    if (root == board->rank) return end(board, 0);
    const int code = tti_reach_read(board, root, tti_offer_of(board, root)->input.address, buf, bytes);
    return code < 0 ? end(board, code) : tti_direct_leave(board);
}

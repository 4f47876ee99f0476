/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/direct.h"

#include <string.h>

#include "collectives/execute/run.h"
#include "collectives/node/combine.h"
#include "collectives/node/offer.h"
#include "collectives/node/reach.h"
#include "collectives/node/single.h"
#include "tutti/error.h"

static const unsigned char *input_of(const tti_board *board, int rank, const void *context)
{
    (void)context;
    return (const unsigned char *)board->maps[2 * rank].base + tti_offer_of(board, rank)->input.offset;
}

int tti_direct_fail(tti_board *board, int code)
{
    return code == TUTTI_ERR_PEER_FAILED ? code : tti_run_drop_out(board->comm, code);
}

/* Maps all that this rank reads and writes: everybody's output, or the root's. False if one cannot be mapped:
 * there is no room in the address space, or the kernel lets its process alone. */
static bool map_all(tti_board *board, int root)
{
    for (int r = 0; r < board->size; r++) {
        const bool write = root < 0 || r == root;
        if (tti_offer_input(board, r) == NULL || (write && tti_offer_output(board, r) == NULL)) return false;
    }
    return true;
}

int tti_direct_end(tti_board *board)
{
    tti_blocks_end(board, &tti_direct_block);
    return tti_board_await_all_done(board, board->blocks);
}

int tti_direct_leave(tti_board *board)
{
    tti_blocks_end(board, &tti_direct_block);
    return 0;
}

/* The results of a piece go to everybody while they are in the first cache. Each part of a buffer is touched
 * by one rank alone, so that inputs and outputs may be the same. */
static void spread(tti_board *board, const unsigned char *sum, size_t at, size_t bytes, int root)
{
    for (int i = 0; i < board->size; i++) {
        const int rank = (board->rank + i) % board->size;
        if (root >= 0 && rank != root) continue;
        unsigned char *output = tti_offer_output(board, rank);
        memcpy(output + at, sum, bytes);
    }
}

int tti_direct_reduce(tti_board *board, const tti_reduction *r, int root)
{
    if (!map_all(board, root)) return tti_single_reduce_for(board, r, root);
    const tti_part own = tti_part_of(board, r->count, r->element, board->rank);
    const size_t most = TTI_BOARD_SCRATCH / r->element * r->element;
    for (size_t done = 0; done < own.bytes; done += most) {
        const size_t at = own.at + done, bytes = own.bytes - done < most ? own.bytes - done : most;
        tti_board_combine_piece(board, r, at, bytes / r->element, input_of, NULL, board->scratch);
        spread(board, board->scratch, at, bytes, root);
    }
    return tti_direct_end(board);
}

/* Copies a rank's offered buffer, mapped or not. */
static int copy_input(tti_board *board, int rank, unsigned char *to, size_t bytes)
{
    const unsigned char *from = tti_offer_input(board, rank);
    if (from == NULL) return tti_reach_read(board, rank, tti_offer_of(board, rank)->input.address, to, bytes);
    memcpy(to, from, bytes);
    return 0;
}

int tti_direct_allgather(tti_board *board, unsigned char *out, size_t bytes)
{
    int code = 0;
    for (int i = 1; i < board->size && code == 0; i++) {
        const int rank = (board->rank + i) % board->size;
        code = copy_input(board, rank, out + (size_t)rank * bytes, bytes);
    }
    return code == 0 ? tti_direct_end(board) : tti_direct_fail(board, code);
}

int tti_direct_bcast(tti_board *board, unsigned char *buf, size_t bytes, int root)
{
    const int code = copy_input(board, root, buf, bytes);
    return code == 0 ? tti_direct_leave(board) : tti_direct_fail(board, code);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the buffers of a large operation are, in each rank's cell: their addresses, and of memory from
 * tutti_mem_alloc() how to map it. If all ranks offer such memory it is read and written where it is. */
#ifndef TTI_COLLECTIVES_OFFER_H
#define TTI_COLLECTIVES_OFFER_H

#include "collectives/node/board.h"

/* A buffer: its address in its rank's memory, and its place in memory from tutti_mem_alloc() (id 0: it is not
 * from there). */
typedef struct {
    uint64_t address, id, offset;
} tti_offered;

/* What a cell holds in a large operation. Who offers an input has not filled the first block. */
typedef struct {
    tti_offered input, output;
} tti_offer;

/* Fills the own cell, before it is posted; a buffer of 0 bytes is not used. True if both can be mapped; if
 * one of them cannot, none is offered so. */
bool tti_offer_make(tti_board *board, const void *input, size_t in_bytes, const void *output,
                    size_t out_bytes);
/* What a rank whose cell is posted offers. */
static inline const tti_offer *tti_offer_of(const tti_board *board, int rank)
{
    return (const tti_offer *)(const void *)tti_board_cell(board, rank)->data;
}
/* Whether a rank offers, and so comes late with its first block. */
static inline bool tti_offer_late(const tti_board *board, int rank)
{
    return board->shape.cell_bytes >= sizeof(tti_offer) && tti_offer_of(board, rank)->input.id != 0;
}
/* Whether all offer. */
bool tti_offers_all(const tti_board *board);

/* Behind a payload of so many bytes in the own cell: whether these buffers could be offered; and whether all
 * said so. */
void tti_offer_hint(tti_board *board, const void *input, const void *output, size_t bytes);
bool tti_offers_hinted(const tti_board *board, size_t bytes);

/* Where a rank's offered buffer is here; mapped at first use, and kept until another one is offered or the
 * board closes. NULL if it cannot be mapped. */
unsigned char *tti_offer_input(tti_board *board, int rank);
unsigned char *tti_offer_output(tti_board *board, int rank);
/* Gives the mappings back. */
void tti_offers_close(tti_board *board);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/offer.h"

#include "runtime/rma/window.h"

static bool find(const void *base, size_t bytes, tti_offered *offered)
{
    *offered = (tti_offered){.address = (uint64_t)(uintptr_t)base};
    return bytes == 0 || tti_rma_memory_find(base, bytes, &offered->id, &offered->offset);
}

bool tti_offer_make(tti_board *board, const void *input, size_t in_bytes, const void *output,
                    size_t out_bytes)
{
    tti_offer *offer = (tti_offer *)(void *)tti_board_cell(board, board->rank)->data;
    /* Tests shrink cells. */
    if (board->shape.cell_bytes < sizeof *offer) return false;
    board->exposed[0] = (tti_board_range){(uint64_t)(uintptr_t)input, in_bytes};
    board->exposed[1] = (tti_board_range){(uint64_t)(uintptr_t)output, out_bytes};
    board->exposes = true;
    if (find(input, in_bytes, &offer->input) && find(output, out_bytes, &offer->output)) return true;
    offer->output.address = (uint64_t)(uintptr_t)output;
    offer->input.id = offer->output.id = 0;
    return false;
}

bool tti_offers_all(const tti_board *board)
{
    bool all = true;
    for (int r = 0; r < board->size && all; r++)
        all = tti_offer_late(board, r);
    return all;
}

void tti_offer_hint(tti_board *board, const void *input, const void *output, size_t bytes)
{
    tti_offered in, out;
    tti_board_cell(board, board->rank)->data[bytes] = find(input, bytes, &in) && find(output, bytes, &out);
}

bool tti_offers_hinted(const tti_board *board, size_t bytes)
{
    bool all = true;
    for (int r = 0; r < board->size && all; r++)
        all = tti_board_cell(board, r)->data[bytes] != 0;
    return all;
}

static void drop(tti_board_map *map, tti_node *node)
{
    if (map->id != 0) tti_node_mem_unmap(node, map->base);
    map->id = 0;
}

/* The memory behind an id is the same whoever has freed and taken it meanwhile (runtime/node/arena.c), so a
 * mapping made for an earlier operation will do. */
static unsigned char *place(tti_board *board, int rank, tti_board_map *map, const tti_offered *offered)
{
    if (map->id != offered->id) {
        drop(map, board->node);
        if (tti_node_mem_map(board->node, board->peers[rank], offered->id, &map->base) < 0) return NULL;
        map->id = offered->id;
    }
    return (unsigned char *)map->base + offered->offset;
}

unsigned char *tti_offer_input(tti_board *board, int rank)
{
    return place(board, rank, &board->maps[2 * rank], &tti_offer_of(board, rank)->input);
}

unsigned char *tti_offer_output(tti_board *board, int rank)
{
    return place(board, rank, &board->maps[2 * rank + 1], &tti_offer_of(board, rank)->output);
}

void tti_offers_close(tti_board *board)
{
    for (int i = 0; i < 2 * board->size; i++)
        drop(&board->maps[i], board->node);
}

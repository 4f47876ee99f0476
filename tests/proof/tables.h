/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours, and tables of parts, for calls whose parts differ from rank to rank: of about shape->count
 * elements, some none and some more; in the order of ranks or against it, with gaps between where they need
 * not be in a row. */
#ifndef TESTS_PROOF_TABLES_H
#define TESTS_PROOF_TABLES_H

#include "collectives/contract/contract.h"
#include "tests/proof/edges.h"
#include "tests/unit/expect.h"

/* What rank `from` has for `to`. In place it is as much as the other way round. */
static inline size_t tables_count(const tti_shape *shape, int from, int to)
{
    const int low = shape->in_place && from > to ? to : from, high = low == from ? to : from;
    const size_t draw = (size_t)(low * 5 + high * 3);
    /* Few have any; behind a small one a large one, which would go over it and itself in place. */
    if (shape->count == 2) return (low + high) % shape->size == 1 ? 5 : low + high == 0;
    return shape->count * (draw % 4) / 2 + draw % 3;
}

/* What it has for all. */
static inline size_t tables_own(const tti_shape *shape, int rank)
{
    return tables_count(shape, rank, 0);
}

/* Where the parts of a row begin. */
static inline void tables_place(const tti_shape *shape, const size_t *counts, size_t *offsets, bool in_a_row)
{
    const bool down = !in_a_row && shape->count % 2 != 0;
    size_t at = in_a_row ? 0 : shape->count % 3;
    for (int i = 0; i < shape->size; i++) {
        const int rank = down ? shape->size - 1 - i : i;
        offsets[rank] = at;
        at += counts[rank] + (in_a_row ? 0 : (size_t)(rank % 2));
    }
}

static inline tti_table tables_make(const tti_shape *shape, enum tti_knows who, bool sent, bool in_a_row)
{
    const size_t size = (size_t)shape->size, rows = who == TTI_TABLE_OF_EACH ? size : 1;
    if (who == TTI_NO_TABLE) return (tti_table){0};
    size_t *counts = malloc(2 * rows * size * sizeof *counts), *offsets = counts + rows * size;
    EXPECT(counts != NULL);
    for (int row = 0; row < (int)rows; row++) {
        size_t *own = counts + (size_t)row * size;
        for (int r = 0; r < shape->size; r++)
            own[r] = sent ? tables_count(shape, row, r) : tables_count(shape, r, row);
        tables_place(shape, own, offsets + (size_t)row * size, in_a_row);
    }
    return (tti_table){counts, offsets};
}

/* Edge after edge, of rank after rank; also for neighbours that are nobody. */
static inline tti_table tables_of_edges(const tti_shape *shape, enum tti_knows who, bool sent, bool own)
{
    size_t count = (size_t)shape->size, at = 0;
    for (int r = 0; r < shape->size; r++)
        count += (size_t)edges_of(shape, r, sent)->count;
    size_t *counts = malloc(2 * count * sizeof *counts), *offsets = counts + count;
    EXPECT(counts != NULL);
    for (int r = 0; who == TTI_NO_TABLE && r < shape->size; r++)
        counts[r] = tables_own(shape, r);
    for (int r = 0; who != TTI_NO_TABLE && r < shape->size; r++) {
        const tti_neighbour_list *list = edges_of(shape, r, sent);
        size_t place = shape->count % 3;
        for (int i = 0; i < list->count; i++, at++) {
            const int other = list->ranks[i] >= 0 ? list->ranks[i] : 0, source = sent ? r : other;
            counts[at] = own ? tables_own(shape, source)
                             : tables_count(shape, source, sent ? other : r) + (size_t)list->numbers[i] % 3;
            offsets[at] = place;
            place += counts[at] + (size_t)(i % 2);
        }
    }
    return (tti_table){counts, offsets};
}

/* The shape of all ranks gets neighbours and tables, if the collective has any, for tables_free(). */
static inline void tables_give(const tti_contract *contract, tti_shape *shape)
{
    shape->parted = tti_contract_parted(contract);
    shape->neighbours = contract->neighbours ? edges_make(shape->size, shape->count) : NULL;
    if (!shape->parted) return;
    if (shape->neighbours != NULL) {
        const bool own = contract->sent == TTI_NO_TABLE;
        shape->send = tables_of_edges(shape, contract->sent, true, own);
        shape->recv = tables_of_edges(shape, contract->received, false, own);
        return;
    }
    shape->send = tables_make(shape, contract->sent, true, contract->reduces);
    shape->recv = tables_make(shape, contract->received, false, contract->reduces);
}

static inline void tables_free(tti_shape *shape)
{
    free((void *)(uintptr_t)shape->send.counts);
    free((void *)(uintptr_t)shape->recv.counts);
    shape->send = shape->recv = (tti_table){0};
    edges_free(shape->neighbours, shape->size);
    shape->neighbours = NULL;
}

#endif

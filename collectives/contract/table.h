/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of parts: of each rank a count, and a place in a buffer that holds a part for each. A call has up to
 * two, which a rank may know for itself alone: what it sends to each, and what it gets of each. Where ranks
 * exchange with their neighbours, these stand for the ranks here: `rank` is a place in a list of them, and
 * `size` the length of it. */
#ifndef TTI_CONTRACT_TABLE_H
#define TTI_CONTRACT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By rank, in elements. Of a caller's own table offsets may be NULL: each part begins where the one before
 * ends. */
typedef struct {
    const size_t *counts; /* NULL: there is no table */
    const size_t *offsets;
} tti_table;

/* A part, in bytes. */
typedef struct {
    size_t at, bytes;
} tti_extent;

/* That of `rank`; without offsets the slower the higher. Of no table it is empty. */
static inline tti_extent tti_table_part(const tti_table *table, size_t element, int rank)
{
    if (table->counts == NULL) return (tti_extent){0, 0};
    size_t at = table->offsets != NULL ? table->offsets[rank] : 0;
    for (int r = 0; table->offsets == NULL && r < rank; r++)
        at += table->counts[r];
    return (tti_extent){at * element, table->counts[rank] * element};
}

/* Whether there is a part that is touched. Where parts are of neighbours, `neighbours` says which these are,
 * and that of nobody (below 0) is none, whatever its count and offset say; else it is NULL. */
static inline bool tti_table_has(const tti_table *table, const int *neighbours, int rank)
{
    return table->counts[rank] > 0 && (neighbours == NULL || neighbours[rank] >= 0);
}

/* Elements of all parts. */
size_t tti_table_total(const tti_table *table, int size);
/* Where the last part that is touched ends, in elements. */
size_t tti_table_end(const tti_table *table, const int *neighbours, int size);
/* In so many bits, for comparisons: of equal counts equal, of different ones hardly ever. */
uint64_t tti_table_hash(const tti_table *table, int size);
/* Whether both have the same parts in the same places; of `kept` the offsets are there. */
bool tti_table_same(const tti_table *kept, const tti_table *other, int size);

/* Puts a copy, with offsets, in the place of a caller's table; false if memory is out, and there is no table
 * then. Freed by tti_table_free(); no table is no copy. */
bool tti_table_keep(tti_table *table, int size);
void tti_table_free(tti_table *table);

#endif

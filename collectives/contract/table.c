/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/contract/table.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/digest.h"

size_t tti_table_total(const tti_table *table, int size)
{
    size_t total = 0;
    for (int r = 0; r < size; r++)
        total += table->counts[r];
    return total;
}

size_t tti_table_end(const tti_table *table, const int *neighbours, int size)
{
    size_t end = 0, behind = 0;
    for (int r = 0; r < size; r++) {
        behind = (table->offsets != NULL ? table->offsets[r] : behind) + table->counts[r];
        if (tti_table_has(table, neighbours, r) && behind > end) end = behind;
    }
    return end;
}

uint64_t tti_table_hash(const tti_table *table, int size)
{
    uint64_t hash = 0x9e3779b97f4a7c15U;
    for (int r = 0; r < size; r++)
        hash = tti_digest_with(hash, table->counts[r]);
    return hash;
}

bool tti_table_same(const tti_table *kept, const tti_table *other, int size)
{
    if (kept->counts == NULL || other->counts == NULL) return kept->counts == other->counts;
    const size_t bytes = (size_t)size * sizeof *kept->counts;
    if (memcmp(kept->counts, other->counts, bytes) != 0) return false;
    if (other->offsets != NULL) return memcmp(kept->offsets, other->offsets, bytes) == 0;
    size_t before = 0;
    for (int r = 0; r < size; r++) {
        if (kept->offsets[r] != before) return false;
        before += kept->counts[r];
    }
    return true;
}

bool tti_table_keep(tti_table *table, int size)
{
    if (table->counts == NULL) return true;
    const tti_table given = *table;
    size_t *counts = malloc((2 * (size_t)size + 1) * sizeof *counts), before = 0;
    *table = (tti_table){0};
    if (counts == NULL) return false;
    for (int r = 0; r < size; r++) {
        counts[r] = given.counts[r];
        counts[size + r] = given.offsets != NULL ? given.offsets[r] : before;
        before += counts[r];
    }
    *table = (tti_table){counts, counts + size};
    return true;
}

void tti_table_free(tti_table *table)
{
    free((void *)(uintptr_t)table->counts);
    *table = (tti_table){0};
}

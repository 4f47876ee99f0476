/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "collectives/proof/checker_state.h"

static bool make_room(tti_values *values, int count)
{
    if (count <= values->room) return true;
    const int room = count * 2;
    tti_value *at = realloc(values->at, (size_t)room * sizeof *at);
    if (at != NULL) values->at = at;
    uint64_t *ranks = realloc(values->ranks, (size_t)room * (size_t)values->words * sizeof *ranks);
    if (ranks != NULL) values->ranks = ranks;
    if (at == NULL || ranks == NULL) return false;
    values->room = room;
    return true;
}

static uint64_t *set_of(const tti_values *values, int value)
{
    return values->ranks + (size_t)value * (size_t)values->words;
}

static int slot_of(const tti_values *values, int left, int right)
{
    const uint64_t mixed = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * 0x9e3779b97f4a7c15U;
    int slot = (int)((mixed >> 20) & (uint64_t)(values->table_size - 1));
    for (;; slot = (slot + 1) & (values->table_size - 1)) {
        const int held = values->table[slot];
        if (held == 0 || (values->at[held].left == left && values->at[held].right == right)) return slot;
    }
}

/* At most half full. */
static bool grow_table(tti_values *values)
{
    if (values->table != NULL && values->count * 2 < values->table_size) return true;
    int size = values->table_size > 0 ? values->table_size : 64;
    while (size <= values->count * 2)
        size *= 2;
    int *table = calloc((size_t)size, sizeof *table);
    if (table == NULL) return false;
    free(values->table);
    values->table = table;
    values->table_size = size;
    for (int v = 1; v < values->count; v++) {
        tti_value *value = &values->at[v];
        if (value->left == 0) continue;
        value->slot = slot_of(values, value->left, value->right);
        table[value->slot] = v;
    }
    return true;
}

/* Empties the table at a cost that depends on what is in it, not on how large it once had to be. */
static void forget(tti_values *values)
{
    for (int v = 1; v < values->count; v++)
        if (values->at[v].left != 0) values->table[values->at[v].slot] = 0;
}

bool tti_values_reset(tti_values *values, int size)
{
    const int words = (size + 63) / 64;
    forget(values);
    if (words > values->words) {
        values->words = words;
        values->room = 0; /* the sets have to grow */
    }
    values->count = size + 1;
    if (!make_room(values, values->count)) return false;
    for (int rank = 0; rank < size; rank++) {
        const int v = tti_values_of_rank(rank);
        values->at[v] = (tti_value){.first = rank, .last = rank, .ordered = true};
        memset(set_of(values, v), 0, (size_t)values->words * sizeof(uint64_t));
        set_of(values, v)[rank / 64] |= UINT64_C(1) << (rank % 64);
    }
    return grow_table(values);
}

void tti_values_close(tti_values *values)
{
    free(values->at);
    free(values->ranks);
    free(values->table);
    *values = (tti_values){0};
}

int tti_values_combine(tti_values *values, int left, int right)
{
    const int slot = slot_of(values, left, right);
    if (values->table[slot] != 0) return values->table[slot];
    if (!make_room(values, values->count + 1)) return 0;
    const int made = values->count++;
    const tti_value *a = &values->at[left], *b = &values->at[right];
    values->at[made] = (tti_value){
        left, right, a->first, b->last, a->ordered && b->ordered && a->last + 1 == b->first, slot};
    for (int w = 0; w < values->words; w++)
        set_of(values, made)[w] = set_of(values, left)[w] | set_of(values, right)[w];
    values->table[slot] = made;
    return grow_table(values) ? made : 0;
}

int tti_values_common(const tti_values *values, int a, int b)
{
    for (int w = 0; w < values->words; w++) {
        const uint64_t both = set_of(values, a)[w] & set_of(values, b)[w];
        if (both != 0) return w * 64 + __builtin_ctzll(both);
    }
    return -1;
}

/* The bits of ranks first … last in word `w`. */
static uint64_t span(int w, int first, int last)
{
    const int low = first > w * 64 ? first - w * 64 : 0, high = last < w * 64 + 63 ? last - w * 64 : 63;
    if (low > 63 || high < 0) return 0;
    return (UINT64_MAX >> (63 - high)) & (UINT64_MAX << low);
}

bool tti_values_are(const tti_values *values, int value, int first, int last)
{
    for (int w = 0; w < values->words; w++)
        if (set_of(values, value)[w] != span(w, first, last)) return false;
    return true;
}

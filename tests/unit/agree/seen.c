/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/agree/seen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void hash(const void *bytes, size_t length, uint64_t out[2])
{
    const unsigned char *at = bytes;
    out[0] = UINT64_C(0x9e3779b97f4a7c15) + length;
    out[1] = UINT64_C(0xd1b54a32d192ed03);
    for (; length > 0; at += 8) {
        uint64_t word = 0;
        const size_t part = length < 8 ? length : 8;
        memcpy(&word, at, part);
        out[0] = mix(out[0] ^ word) + out[1];
        out[1] = mix(out[1] + word * UINT64_C(0x2545f4914f6cdd1d)) ^ out[0];
        length -= part;
    }
    if (out[0] == 0) out[0] = 1;
}

/* Its slot, or the free one where it belongs. */
static uint64_t *place_of(const seen_set *set, const uint64_t key[2])
{
    size_t at = key[0] & (set->room - 1);
    while (set->slots[at][0] != 0 && (set->slots[at][0] != key[0] || set->slots[at][1] != key[1]))
        at = (at + 1) & (set->room - 1);
    return set->slots[at];
}

static void grow(seen_set *set)
{
    const seen_set old = *set;
    set->room = old.room > 0 ? 2 * old.room : 1024;
    set->slots = calloc(set->room, sizeof *set->slots);
    if (set->slots == NULL) {
        fprintf(stderr, "no memory for %zu states\n", set->room);
        exit(1);
    }
    for (size_t i = 0; i < old.room; i++)
        if (old.slots[i][0] != 0) memcpy(place_of(set, old.slots[i]), old.slots[i], sizeof *old.slots);
    free(old.slots);
}

bool seen_add(seen_set *set, const void *bytes, size_t length)
{
    uint64_t key[2];
    if (2 * set->count >= set->room) grow(set);
    hash(bytes, length, key);
    uint64_t *place = place_of(set, key);
    if (place[0] != 0) return false;
    memcpy(place, key, sizeof key);
    set->count++;
    return true;
}

void seen_free(seen_set *set)
{
    free(set->slots);
    *set = (seen_set){0};
}

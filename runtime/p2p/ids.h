/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for operations that packets name: a packet never carries a pointer, and a late or wrong number
 * finds nothing. A number is a place in a table and a count of its reuses; 0 is no number. */
#ifndef TTI_P2P_IDS_H
#define TTI_P2P_IDS_H

#include <stddef.h>
#include <stdint.h>

/* Low bits of a number that are the place: the bulk tags of operations under way differ in these. */
#define TTI_IDS_PLACE_BITS 24

typedef struct {
    void *owner; /* NULL: free */
    uint32_t id; /* of the owner, or that its next owner gets */
    uint32_t next_free;
} tti_ids_entry;

typedef struct {
    tti_ids_entry *entries;
    uint32_t count, room;           /* place 0 is never used */
    uint32_t first_free, last_free; /* 0: none; in the order in which they became free */
    uint32_t used;                  /* numbers given out now */
} tti_ids;

/* Numbers `owner`; TUTTI_ERR_NO_MEMORY, TUTTI_ERR_LIMIT (2^24 at once). A zeroed table is an empty one. */
int tti_ids_take(tti_ids *ids, void *owner, uint32_t *id);
void *tti_ids_find(const tti_ids *ids, uint32_t id);
/* The owners one after another, NULL behind the last; `*place` is 0 at first. Numbers may be taken and given
 * back meanwhile: it goes by places, which stay. */
static inline void *tti_ids_next(const tti_ids *ids, uint32_t *place)
{
    while (++*place < ids->count)
        if (ids->entries[*place].owner != NULL) return ids->entries[*place].owner;
    return NULL;
}
void tti_ids_give(tti_ids *ids, uint32_t id);
void tti_ids_close(tti_ids *ids);

#endif

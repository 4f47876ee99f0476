/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/ids.h"

#include <stdlib.h>

#include "runtime/base/status.h"

#define FIRST_ROOM 64
#define MOST (UINT32_C(1) << TTI_IDS_PLACE_BITS)
#define PLACE(id) ((id) & (MOST - 1))

static int grow(tti_ids *ids)
{
    const uint32_t room = ids->room == 0 ? FIRST_ROOM : ids->room * 2;
    if (room > MOST)
        return tti_fail(TUTTI_ERR_LIMIT, "%u long or synchronous messages are under way; wait for some",
                        ids->count);
    tti_ids_entry *entries = realloc(ids->entries, room * sizeof *entries);
    if (entries == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for %u messages under way", room);
    ids->entries = entries;
    ids->room = room;
    if (ids->count == 0) ids->count = 1;
    return 0;
}

static void free_place(tti_ids *ids, uint32_t place)
{
    ids->entries[place].next_free = 0;
    if (ids->first_free == 0)
        ids->first_free = place;
    else
        ids->entries[ids->last_free].next_free = place;
    ids->last_free = place;
}

/* All places of the table take turns, so that a number comes again as late as may be. */
int tti_ids_take(tti_ids *ids, void *owner, uint32_t *id)
{
    const int code = ids->first_free == 0 && ids->count == ids->room ? grow(ids) : 0;
    if (code < 0) return code;
    if (ids->count < ids->room) {
        ids->entries[ids->count] = (tti_ids_entry){.id = ids->count};
        free_place(ids, ids->count++);
    }
    tti_ids_entry *entry = &ids->entries[ids->first_free];
    ids->first_free = entry->next_free;
    entry->owner = owner;
    ids->used++;
    *id = entry->id;
    return 0;
}

void *tti_ids_find(const tti_ids *ids, uint32_t id)
{
    const uint32_t place = PLACE(id);
    if (place == 0 || place >= ids->count || ids->entries[place].id != id) return NULL;
    return ids->entries[place].owner;
}

void tti_ids_give(tti_ids *ids, uint32_t id)
{
    tti_ids_entry *entry = &ids->entries[PLACE(id)];
    entry->owner = NULL;
    ids->used--;
    entry->id += MOST; /* the count of reuses wraps around by itself */
    free_place(ids, PLACE(id));
}

void tti_ids_close(tti_ids *ids)
{
    free(ids->entries);
    *ids = (tti_ids){0};
}

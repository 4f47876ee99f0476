/* SPDX-License-Identifier: BSD-3-Clause */
#include "keep/room.h"

#include <stdlib.h>

#include "runtime/base/status.h"
#include "runtime/node/lasting.h"
#include "runtime/node/memory_room.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/ways.h"

/* A room of more than SMALL bytes is at most so many times as large as the piece. */
#define SEVERAL 4
#define SMALL ((size_t)256 * 1024)

void tti_keep_room_empty(tti_keep_room *room)
{
    if (room->mapped)
        tti_node_lasting_unmap(room->memory, &room->shared);
    else if (tti_keep_is_shared(&room->shared))
        tti_node_lasting_free(room->memory, &room->shared);
    else
        free(room->memory);
    *room = (tti_keep_room){0};
}

/* Memory several times too large is given back: what was kept once may never be as large again. */
static bool fits(const tti_keep_room *room, size_t bytes)
{
    return bytes <= room->room && (room->room <= SMALL || room->room / SEVERAL <= bytes);
}

int tti_keep_room_private(tti_keep_room *room, size_t bytes)
{
    if (!tti_keep_is_shared(&room->shared) && fits(room, bytes)) {
        room->bytes = bytes;
        return 0;
    }
    tti_keep_room_empty(room);
    const int code = tti_node_check_room("a copy of tutti_keep()", bytes);
    if (code < 0) return code;
    room->memory = malloc(bytes + 1);
    if (room->memory == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_keep: no memory for a copy of %zu bytes", bytes);
    room->room = room->bytes = bytes;
    return 0;
}

int tti_keep_room_shared(tti_keep_room *room, size_t bytes)
{
    if (!tti_keep_is_shared(&room->shared) || !fits(room, bytes)) {
        void *memory;
        tti_node_lasting made;
        tti_keep_room_empty(room);
        const int code = tti_node_lasting_make(bytes, &memory, &made);
        /* Where memory is short there is none for a copy more, which the buddy would need. */
        if (code < 0) return code == TUTTI_ERR_NO_MEMORY ? code : tti_keep_room_private(room, bytes);
        *room = (tti_keep_room){.memory = memory, .room = bytes, .shared = made};
    }
    room->bytes = bytes;
    return 0;
}

static bool is_same(const tti_node_lasting *a, const tti_node_lasting *b)
{
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes;
}

int tti_keep_room_map(tti_keep_room *room, int job_rank, const tti_node_lasting *shared, size_t bytes)
{
    if (!room->mapped || !is_same(&room->shared, shared)) {
        void *memory;
        tti_keep_room_empty(room);
        const int place = tti_ways_node_index(job_rank);
        const int code =
            place < 0 ? TUTTI_ERR_PEER_FAILED : tti_node_lasting_map(tti_ways_node(), place, shared, &memory);
        if (code < 0) return code;
        *room = (tti_keep_room){.memory = memory, .shared = *shared, .mapped = true};
    }
    room->bytes = bytes;
    return 0;
}

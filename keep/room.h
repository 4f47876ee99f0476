/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for a piece: memory of this process alone, such that node peers map, or a peer's, mapped: that stays
 * when the peer frees it or dies. All under the lock. A room of zeros is empty. */
#ifndef TTI_KEEP_ROOM_H
#define TTI_KEEP_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/node/lasting.h"

typedef struct {
    void *memory;
    size_t bytes, room;
    tti_node_lasting shared; /* its `bytes` are 0: of this process alone */
    bool mapped;
} tti_keep_room;

static inline bool tti_keep_is_shared(const tti_node_lasting *memory)
{
    return memory->bytes > 0;
}

/* Make room for `bytes`, of this process alone, or to be mapped by peers; where these could not map it, or it
 * may open no more files, it is the former. What was there is lost. TUTTI_ERR_NO_MEMORY. */
int tti_keep_room_private(tti_keep_room *room, size_t bytes);
int tti_keep_room_shared(tti_keep_room *room, size_t bytes);
/* Maps what a rank of the job shares. */
int tti_keep_room_map(tti_keep_room *room, int job_rank, const tti_node_lasting *shared, size_t bytes);
void tti_keep_room_empty(tti_keep_room *room);

#endif

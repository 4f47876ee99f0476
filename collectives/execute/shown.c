/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/shown.h"

#include <stdlib.h>

#include "runtime/node/arena.h"
#include "runtime/node/node_windows.h"
#include "runtime/node/single_copy.h"
#include "runtime/rma/rma_memory.h"

_Static_assert(sizeof(tti_shown_line) <= TTI_NODE_WINDOW_BESIDE, "what is shown comes in the flag's line");

struct tti_shown_map {
    uint64_t id; /* 0: none */
    void *base;
};

static tti_link mapping = {&mapping, &mapping}; /* windows that have maps */

bool tti_shown_fill(tti_shown_line *line, const tti_schedule *schedule, char *const spaces[])
{
    bool all = true;
    for (int as = 0; as < TTI_SHOWN; as++) {
        const tti_shown *shown = &schedule->shown[as];
        tti_shown_buffer *buffer = &line->of[as];
        *buffer = (tti_shown_buffer){0};
        if (shown->bytes == 0) continue;
        const char *base = spaces[shown->space] + shown->at;
        buffer->address = (uint64_t)(uintptr_t)base;
        if (tti_rma_memory_find(base, shown->bytes, &buffer->id, &buffer->offset)) continue;
        buffer->id = 0;
        all = false;
    }
    return all;
}

bool tti_shown_copies(const tti_windows *windows)
{
    bool all = true;
    for (int place = 0; place < windows->size && all; place++)
        if (place != windows->rank) all = tti_node_can_read(windows->node, windows->peers[place]);
    return all;
}

static void drop(const tti_windows *windows, struct tti_shown_map *map)
{
    if (map->id != 0) tti_node_mem_unmap(windows->node, map->base);
    map->id = 0;
}

/* The memory behind an id is the same whoever has freed and taken it meanwhile (runtime/node/arena.c), so a
 * mapping made for an earlier operation will do. */
char *tti_shown_map(tti_windows *windows, int place, int as, const tti_shown_buffer *buffer)
{
    if (buffer->id == 0) return NULL;
    if (windows->maps == NULL) {
        windows->maps = calloc((size_t)windows->size * TTI_SHOWN, sizeof *windows->maps);
        if (windows->maps == NULL) return NULL;
        tti_list_append(&mapping, &windows->mapping);
    }
    struct tti_shown_map *map = &windows->maps[place * TTI_SHOWN + as];
    if (map->id != buffer->id) {
        drop(windows, map);
        if (tti_node_mem_map(windows->node, windows->peers[place], buffer->id, &map->base) < 0) return NULL;
        map->id = buffer->id;
    }
    return (char *)map->base + buffer->offset;
}

static void drop_place(const tti_windows *windows, int place)
{
    for (int as = 0; as < TTI_SHOWN; as++)
        drop(windows, &windows->maps[place * TTI_SHOWN + as]);
}

void tti_shown_forget(int peer)
{
    for (tti_link *at = mapping.next; at != &mapping; at = at->next) {
        const tti_windows *windows = TTI_OWNER(at, const tti_windows, mapping);
        for (int place = 0; place < windows->size; place++)
            if (windows->peers[place] == peer) drop_place(windows, place);
    }
}

void tti_shown_close(tti_windows *windows)
{
    if (windows->maps == NULL) return;
    for (int place = 0; place < windows->size; place++)
        drop_place(windows, place);
    tti_list_remove(&windows->mapping);
    free(windows->maps);
    windows->maps = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* How a rank reads and writes what others show, which is memory of one process here: mapped, or by copies in
 * the kernel's place. */
#include <string.h>

#include "collectives/execute/shown.h"
#include "runtime/node/single_copy.h"
#include "runtime/rma/rma_memory.h"
#include "tests/explore/choose.h"
#include "tests/explore/outside.h"
#include "tutti/error.h"

bool tti_node_can_read(tti_node *node, int peer)
{
    (void)node;
    (void)peer;
    return true;
}

bool tti_rma_memory_find(const char *base, size_t bytes, uint64_t *id, uint64_t *offset)
{
    (void)bytes;
    *id = (uint64_t)(uintptr_t)base;
    *offset = 0;
    return outside_goes()->maps;
}

char *tti_shown_map(tti_windows *windows, int place, int as, const tti_shown_buffer *buffer)
{
    (void)windows;
    (void)place;
    (void)as;
    return outside_goes()->maps ? (char *)(uintptr_t)buffer->id : NULL;
}

int explore_node_read(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes)
{
    (void)node;
    run_step();
    if (run_dead() == peer) return TUTTI_ERR_PEER_FAILED;
    if (outside_goes()->refuses && choose(2) == 1) return TUTTI_ERR_UNSUPPORTED;
    memcpy(local, (const void *)(uintptr_t)remote, bytes);
    return 0;
}

int explore_node_write(tti_node *node, int peer, uint64_t remote, const void *local, size_t bytes)
{
    const bool refused = outside_goes()->refuses && choose(2) == 1;
    (void)node;
    run_step();
    if (run_dead() == peer) return TUTTI_ERR_PEER_FAILED;
    memcpy((void *)(uintptr_t)remote, local, refused ? bytes / 2 : bytes);
    return refused ? TUTTI_ERR_UNSUPPORTED : 0;
}

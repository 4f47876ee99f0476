/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers in one stretch of address space, so that a pointer tells its buffer by a division. The kernel gives
 * memory to what is touched: of the stretch for all streams there may ever be, only the slots in use. */
#include <rdma/fi_domain.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/status.h"
#include "streams/stream_state.h"

#define ALIGNMENT 64

int tti_stream_pool_open(tti_stream_pool *pool, int count, size_t bytes, bool receives)
{
    memset(pool, 0, sizeof *pool);
    tti_list_init(&pool->free);
    pool->stride = (TTI_FRAME_HEAD + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    pool->slots = calloc((size_t)count, sizeof *pool->slots);
    pool->registrations = calloc((size_t)count, sizeof(struct fid_mr *));
    const size_t mapped = pool->stride * (size_t)count;
    void *memory =
        mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
        pool->memory = memory;
        pool->mapped = mapped;
    }
    if (pool->slots == NULL || pool->registrations == NULL || memory == MAP_FAILED)
        return tti_fail(TUTTI_ERR_NO_MEMORY,
                        "no memory for %d buffers of %zu bytes: ask for fewer, or for fewer streams", count,
                        bytes);
    for (pool->count = 0; pool->count < count; pool->count++) {
        tti_stream_slot *slot = &pool->slots[pool->count];
        slot->memory = pool->memory + pool->stride * (size_t)pool->count;
        slot->receives = receives;
        slot->length = TTI_FRAME_HEAD; /* a head alone, unless there is a message */
        tti_list_init(&slot->link);
    }
    return 0;
}

void tti_stream_pool_unregister(tti_stream_pool *pool)
{
    while (pool->registered > 0)
        fi_close(&pool->registrations[--pool->registered]->fid);
}

void tti_stream_pool_close(tti_stream_pool *pool)
{
    if (pool->memory != NULL) munmap(pool->memory, pool->mapped);
    free(pool->slots);
    free(pool->registrations);
    memset(pool, 0, sizeof *pool);
}

static int register_slots(tutti_stream_context *context, tti_stream_pool *pool, int count, void **descriptor)
{
    *descriptor = NULL;
    if ((context->info->domain_attr->mr_mode & FI_MR_LOCAL) == 0) return 0;
    const size_t bytes = pool->stride * (size_t)count;
    uint8_t *base = pool->slots[pool->active].memory;
    memset(base, 0, bytes); /* some providers register only memory that is there */
    struct fid_mr **mr = &pool->registrations[pool->registered];
    const int result =
        fi_mr_reg(context->domain, base, bytes, FI_SEND | FI_RECV, 0, (uint64_t)(uintptr_t)base, 0, mr, NULL);
    if (result != 0)
        return tti_fail(TUTTI_ERR_NO_MEMORY,
                        "the provider cannot register %zu bytes of buffers (%s): raise `ulimit -l`, or use "
                        "fewer or shorter buffers",
                        bytes, context->library->strerror(-result));
    pool->registered++;
    *descriptor = fi_mr_desc(*mr);
    return 0;
}

int tti_stream_pool_activate(tutti_stream_context *context, tti_stream_pool *pool, int count)
{
    if (pool->count - pool->active < count)
        return tti_fail(TUTTI_ERR_LIMIT, "all %d buffers are in use or held: release messages that are held",
                        pool->count);
    void *descriptor;
    const int code = register_slots(context, pool, count, &descriptor);
    if (code < 0) return code;
    for (int i = 0; i < count; i++) {
        tti_stream_slot *slot = &pool->slots[pool->active++];
        slot->descriptor = descriptor;
        tti_list_append(&pool->free, &slot->link);
    }
    return 0;
}

tti_stream_slot *tti_stream_pool_take(tti_stream_pool *pool)
{
    if (tti_list_empty(&pool->free)) return NULL;
    tti_stream_slot *slot = TTI_OWNER(pool->free.prev, tti_stream_slot, link); /* the last used is warm */
    tti_list_remove(&slot->link);
    return slot;
}

void tti_stream_pool_give(tti_stream_pool *pool, tti_stream_slot *slot)
{
    slot->use = TTI_SLOT_FREE;
    slot->stream = slot->creditor = NULL;
    tti_list_remove(&slot->link);
    tti_list_append(&pool->free, &slot->link);
}

tti_stream_slot *tti_stream_pool_find(const tti_stream_pool *pool, const void *data)
{
    const uintptr_t at = (uintptr_t)data, base = (uintptr_t)pool->memory + TTI_FRAME_HEAD;
    if (at < base || at - base + TTI_FRAME_HEAD >= pool->mapped) return NULL;
    return &pool->slots[(at - base) / pool->stride];
}

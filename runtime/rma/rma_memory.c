/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti_mem_alloc(): from the node's arena, or plain pages where no node is open. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/base/address_space.h"
#include "runtime/base/list.h"
#include "runtime/base/span.h"
#include "runtime/base/status.h"
#include "runtime/node/arena.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/lock.h"
#include "runtime/rma/rma_memory.h"
#include "runtime/rma/window_table.h"

typedef struct {
    tti_span span; /* first */
    uint64_t id;   /* 0: plain pages */
} allocation;

static void *allocations;

static int take_pages(size_t bytes, void **base)
{
    *base = mmap(NULL, bytes > 0 ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (*base != MAP_FAILED) return 0;
    return tti_fail_mapping(errno, "tutti_mem_alloc", bytes);
}

static void give_back(const allocation *gone)
{
    char *base = (char *)(uintptr_t)gone->span.base;
    if (gone->id != 0)
        tti_node_mem_free(tti_ways_node(), base);
    else
        munmap(base, gone->span.bytes);
}

static int take(size_t bytes, allocation *made)
{
    tti_node *node = tti_ways_node();
    void *at;
    const int code = node != NULL ? tti_node_mem_alloc(node, bytes, &at, &made->id) : take_pages(bytes, &at);
    if (code < 0) return code;
    made->span = (tti_span){at, bytes > 0 ? bytes : 1};
    if (tti_span_add(&allocations, &made->span)) return 0;
    give_back(made);
    return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to note an allocation");
}

static int allocate(size_t bytes, void **base)
{
    allocation *made = calloc(1, sizeof *made);
    if (made == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to note an allocation");
    const int code = take(bytes, made);
    if (code == 0)
        *base = (char *)(uintptr_t)made->span.base;
    else
        free(made);
    return code;
}

static void release(tti_span *span)
{
    allocation *gone = TTI_OWNER(span, allocation, span);
    tti_span_remove(&allocations, span);
    give_back(gone);
    free(gone);
}

static int find_and_release(const char *base)
{
    tti_span *found = tti_span_at(&allocations, base);
    if (found == NULL || found->base != base)
        return tti_fail(TUTTI_ERR_ARG, "tutti_mem_free: %p is not from tutti_mem_alloc(), or freed already",
                        (const void *)base);
    if (tti_rma_memory_in_use(base, found->bytes))
        return tti_fail(TUTTI_ERR_STATE, "tutti_mem_free: a window is on %p; free the window first",
                        (const void *)base);
    release(found);
    return 0;
}

int tutti_mem_alloc(tutti_comm *comm, size_t bytes, void **base)
{
    int code = tti_check_open("tutti_mem_alloc");
    if (code < 0) return tti_answer(code);
    if (comm == NULL || base == NULL)
        return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_mem_alloc: comm or base is NULL"));
    tti_lock();
    code = allocate(bytes, base);
    tti_unlock();
    return tti_answer(code);
}

int tutti_mem_free(void *base)
{
    if (base == NULL) return 0;
    int code = tti_check_open("tutti_mem_free");
    if (code < 0) return tti_answer(code);
    tti_lock();
    code = find_and_release(base);
    tti_unlock();
    return tti_answer(code);
}

bool tti_rma_memory_find(const char *base, size_t bytes, uint64_t *id, uint64_t *offset)
{
    const tti_span *found = tti_span_at(&allocations, base);
    if (found == NULL) return false;
    const allocation *a = TTI_OWNER(found, const allocation, span);
    const size_t place = (size_t)(base - found->base);
    if (a->id == 0 || bytes > found->bytes - place) return false;
    *id = a->id;
    *offset = place;
    return true;
}

void tti_rma_memory_close(void)
{
    for (tti_span *span; (span = tti_span_any(&allocations)) != NULL;)
        release(span);
}

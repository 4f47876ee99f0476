/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti_mem_alloc(): from the node's arena, or plain pages where no node is open. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/base/address_space.h"
#include "runtime/base/status.h"
#include "runtime/node/arena.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/lock.h"
#include "runtime/rma/rma_memory.h"
#include "runtime/rma/window_table.h"

typedef struct allocation {
    struct allocation *next;
    char *base;
    size_t bytes;
    uint64_t id; /* 0: plain pages */
} allocation;

static allocation *allocations;

static int take_pages(size_t bytes, void **base)
{
    *base = mmap(NULL, bytes > 0 ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (*base != MAP_FAILED) return 0;
    return tti_fail_mapping(errno, "tutti_mem_alloc", bytes);
}

static int allocate(size_t bytes, void **base)
{
    allocation *made = calloc(1, sizeof *made);
    if (made == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to note an allocation");
    tti_node *node = tti_p2p_node();
    void *at;
    const int code = node != NULL ? tti_node_mem_alloc(node, bytes, &at, &made->id) : take_pages(bytes, &at);
    if (code < 0) {
        free(made);
        return code;
    }
    made->base = at;
    made->bytes = bytes;
    made->next = allocations;
    allocations = made;
    *base = at;
    return 0;
}

static void release(allocation **link)
{
    allocation *gone = *link;
    *link = gone->next;
    if (gone->id != 0)
        tti_node_mem_free(tti_p2p_node(), gone->base);
    else
        munmap(gone->base, gone->bytes > 0 ? gone->bytes : 1);
    free(gone);
}

static int find_and_release(char *base)
{
    allocation **link = &allocations;
    while (*link != NULL && (*link)->base != base)
        link = &(*link)->next;
    if (*link == NULL)
        return tti_fail(TUTTI_ERR_ARG, "tutti_mem_free: %p is not from tutti_mem_alloc(), or freed already",
                        (void *)base);
    if (tti_rma_memory_in_use(base, (*link)->bytes))
        return tti_fail(TUTTI_ERR_STATE, "tutti_mem_free: a window is on %p; free the window first",
                        (void *)base);
    release(link);
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
    for (const allocation *a = allocations; a != NULL; a = a->next) {
        if (a->id == 0 || base < a->base || bytes > a->bytes) continue;
        const size_t place = (size_t)(base - a->base);
        if (place > a->bytes - bytes) continue;
        *id = a->id;
        *offset = place;
        return true;
    }
    return false;
}

void tti_rma_memory_close(void)
{
    while (allocations != NULL)
        release(&allocations);
}

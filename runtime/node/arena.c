/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that node peers can map: one memfd per rank, of which each allocation is a range of pages. Its id is
 * the place in that file, so a peer needs no table to find it, and a range that is used again has the right
 * pages behind every old mapping. */
#include "runtime/node/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/address_space.h"
#include "runtime/base/status.h"
#include "runtime/node/memory_room.h"
#include "runtime/node/page_ranges.h"
#include "runtime/node/peer_file.h"
#include "runtime/node/segment.h"

/* An id: first page above, number of pages below. */
#define COUNT_BITS 28
/* Mappings of peers' memory that nobody uses are kept, for the next window on the same memory. */
#define IDLE_MAPPINGS 16

struct tti_node_arena {
    int fd;
    size_t page;    /* the kernel's, in bytes */
    uint64_t pages; /* size of the file */
    tti_page_ranges ranges;
    void *mapped; /* the same by address */
};

struct tti_node_mapping {
    struct tti_node_mapping *next; /* last used first */
    int peer, uses;
    uint64_t id;
    void *base;
};

static uint64_t id_of(uint64_t first, uint64_t pages)
{
    return first << COUNT_BITS | pages;
}

/* All processes of a node have pages of the same size. */
static size_t id_bytes(const tti_node *node, uint64_t id)
{
    return (size_t)(id & ((UINT64_C(1) << COUNT_BITS) - 1)) * node->page;
}

static off_t id_offset(const tti_node *node, uint64_t id)
{
    return (off_t)((id >> COUNT_BITS) * node->page);
}

static int open_arena(tti_node *node)
{
    if (node->arena != NULL) return 0;
    struct tti_node_arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for an arena");
    arena->fd = tti_node_memfd("tutti-memory", 0);
    if (arena->fd < 0) {
        const int code = arena->fd;
        free(arena);
        return code;
    }
    arena->page = node->page;
    tti_page_ranges_open(&arena->ranges);
    node->arena = arena;
    tti_node_show_file(&tti_node_card_of(node, node->index)->arena, arena->fd);
    return 0;
}

static off_t place_of(const struct tti_node_arena *arena, uint64_t pages)
{
    return (off_t)(pages * arena->page);
}

/* Lets the file reach to the end of the range. */
static int extend(struct tti_node_arena *arena, uint64_t first, uint64_t pages)
{
    if (first + pages <= arena->pages) return 0;
    const off_t end = place_of(arena, first + pages);
    const int code = tti_node_check_file("memory shared with the node's ranks", (uint64_t)end);
    if (code < 0) return code;
    if (ftruncate(arena->fd, end) != 0)
        return tti_fail_errno(TUTTI_ERR_NO_MEMORY, errno, "shared memory of %lld bytes",
                              (long long)place_of(arena, pages));
    arena->pages = first + pages;
    return 0;
}

/* The range's pages go back. */
static void discard(struct tti_node_arena *arena, uint64_t first, uint64_t pages)
{
    fallocate(arena->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, place_of(arena, first),
              place_of(arena, pages));
}

static int populate(struct tti_node_arena *arena, uint64_t first, uint64_t pages)
{
    const int code = extend(arena, first, pages);
    if (code < 0) return code;
    const int error = tti_node_take_pages(arena->fd, place_of(arena, first), place_of(arena, pages));
    if (error == 0) return 0;
    return tti_fail_errno(TUTTI_ERR_NO_MEMORY, error, "tutti_mem_alloc of %lld bytes",
                          (long long)place_of(arena, pages));
}

static void unmap_range(const struct tti_node_arena *arena, const tti_page_range *range)
{
    munmap((char *)(uintptr_t)range->span.base, range->pages * arena->page);
}

static int map_own(const struct tti_node_arena *arena, tti_page_range *made)
{
    const size_t bytes = made->pages * arena->page;
    const char *base =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, arena->fd, place_of(arena, made->first));
    if (base == MAP_FAILED) return tti_fail_mapping(errno, "memory shared with the node's ranks", bytes);
    made->span = (tti_span){base, bytes};
    return 0;
}

static int fill_range(struct tti_node_arena *arena, tti_page_range *made)
{
    int code = populate(arena, made->first, made->pages);
    if (code == 0) code = map_own(arena, made);
    if (code == 0 && !tti_span_add(&arena->mapped, &made->span)) {
        unmap_range(arena, made);
        code = tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to note an allocation");
    }
    if (code < 0) discard(arena, made->first, made->pages);
    return code;
}

int tti_node_mem_alloc(tti_node *node, size_t bytes, void **base, uint64_t *id)
{
    const uint64_t pages = bytes == 0 ? 1 : (bytes - 1) / node->page + 1;
    int code = tti_node_check_room("tutti_mem_alloc", bytes); /* not whole pages, which might overflow */
    if (code == 0 && pages >= UINT64_C(1) << COUNT_BITS)
        code = tti_fail(TUTTI_ERR_LIMIT, "tutti_mem_alloc of %zu bytes is over 2^%d pages of %zu", bytes,
                        COUNT_BITS, node->page);
    if (code == 0) code = open_arena(node);
    if (code < 0) return code;
    tti_page_range *made = tti_page_range_take(&node->arena->ranges, pages);
    if (made == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to note an allocation");
    code = fill_range(node->arena, made);
    if (code < 0) {
        tti_page_range_give(&node->arena->ranges, made);
        return code;
    }
    *base = (char *)(uintptr_t)made->span.base;
    *id = id_of(made->first, pages);
    return 0;
}

int tti_node_mem_free(tti_node *node, void *base)
{
    struct tti_node_arena *arena = node->arena;
    tti_span *found = arena != NULL ? tti_span_at(&arena->mapped, base) : NULL;
    if (found == NULL || found->base != base)
        return tti_fail(TUTTI_ERR_ARG, "%p is not from tutti_mem_alloc()", base);
    tti_page_range *range = TTI_OWNER(found, tti_page_range, span);
    tti_span_remove(&arena->mapped, found);
    unmap_range(arena, range);
    discard(arena, range->first, range->pages);
    tti_page_range_give(&arena->ranges, range);
    return 0;
}

static int map_range(const tti_node *node, int peer, int fd, uint64_t id, void **base)
{
    const size_t bytes = id_bytes(node, id);
    const off_t size = lseek(fd, 0, SEEK_END);
    if (bytes == 0 || id_offset(node, id) + (off_t)bytes > size)
        return tti_fail(TUTTI_ERR_ARG, "rank %d has no memory of id 0x%llx", tti_node_rank_of(node, peer),
                        (unsigned long long)id);
    *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, id_offset(node, id));
    if (*base != MAP_FAILED) return 0;
    return tti_fail_mapping(errno, "memory of another rank", bytes);
}

/* The file is open for that long alone: a process may have fewer descriptors than there are ranks. */
static int map_memory(tti_node *node, int peer, uint64_t id, void **base)
{
    const tti_node_file *arena = &tti_node_card_of(node, peer)->arena;
    if (atomic_load(&arena->fd) < 0)
        return tti_fail(TUTTI_ERR_ARG, "rank %d has no mappable memory", tti_node_rank_of(node, peer));
    const int fd = tti_node_open_of(node, peer, arena, O_RDWR);
    if (fd < 0) return fd;
    const int code = map_range(node, peer, fd, id, base);
    close(fd);
    return code;
}

/* Unlinks what *link points to and puts it in front. */
static struct tti_node_mapping *to_front(tti_node *node, struct tti_node_mapping **link)
{
    struct tti_node_mapping *mapping = *link;
    *link = mapping->next;
    mapping->next = node->mappings;
    node->mappings = mapping;
    return mapping;
}

int tti_node_mem_map(tti_node *node, int peer, uint64_t id, void **base)
{
    for (struct tti_node_mapping **link = &node->mappings; *link != NULL; link = &(*link)->next) {
        if ((*link)->peer != peer || (*link)->id != id) continue;
        struct tti_node_mapping *mapping = to_front(node, link);
        mapping->uses++;
        *base = mapping->base;
        return 0;
    }
    struct tti_node_mapping *made = calloc(1, sizeof *made);
    if (made == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to note a mapping");
    const int code = map_memory(node, peer, id, &made->base);
    if (code < 0) {
        free(made);
        return code;
    }
    made->peer = peer;
    made->id = id;
    made->uses = 1;
    made->next = node->mappings;
    node->mappings = made;
    *base = made->base;
    return 0;
}

static void unmap(const tti_node *node, struct tti_node_mapping **link)
{
    struct tti_node_mapping *gone = *link;
    *link = gone->next;
    munmap(gone->base, id_bytes(node, gone->id));
    free(gone);
}

/* A peer that is gone takes none of its pages back: there it is for this rank to let go of them. */
static void unmap_idle(tti_node *node)
{
    int idle = 0;
    for (struct tti_node_mapping **link = &node->mappings; *link != NULL;) {
        const struct tti_node_mapping *mapping = *link;
        if (mapping->uses == 0 && (node->contacts[mapping->peer].gone || ++idle > IDLE_MAPPINGS))
            unmap(node, link);
        else
            link = &(*link)->next;
    }
}

void tti_node_mem_unmap(tti_node *node, void *base)
{
    for (struct tti_node_mapping *mapping = node->mappings; mapping != NULL; mapping = mapping->next)
        if (mapping->base == base && mapping->uses > 0) mapping->uses--;
    unmap_idle(node);
}

void tti_node_mem_forget(tti_node *node, int peer)
{
    node->contacts[peer].gone = true;
    unmap_idle(node);
}

void tti_node_close_arena(tti_node *node)
{
    while (node->mappings != NULL)
        unmap(node, &node->mappings);
    struct tti_node_arena *arena = node->arena;
    if (arena == NULL) return;
    atomic_store(&tti_node_card_of(node, node->index)->arena.fd, -1);
    /* The pages go with the last mapping: peers may still be reading what was reserved for all. */
    for (tti_span *span; (span = tti_span_any(&arena->mapped)) != NULL;) {
        tti_span_remove(&arena->mapped, span);
        unmap_range(arena, TTI_OWNER(span, tti_page_range, span));
    }
    tti_page_ranges_close(&arena->ranges);
    close(arena->fd);
    free(arena);
}

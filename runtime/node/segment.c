/* SPDX-License-Identifier: BSD-3-Clause */
/* The segment: its sizes, made and mapped. */
#include "runtime/node/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/address_space.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status.h"
#include "runtime/node/memory_room.h"

/* Up to this many ranks a receiver looks at every ring: a shared bit set would cost a second line transfer.
 */
#define FEW_RANKS 8
/* Address space alone, until it is used: of 16 ranks 1.8 GiB, of 64 5.8, of 512 46. (And a page of page table
 * in each rank for each other whose windows it touches.) Enough for a grid's rows and columns. */
#define WINDOW_SETS 32
/* Machines have up to so many cores. Ranks beyond that share them, and are many for their memory, too. */
#define LARGE_WINDOWS_RANKS 512
#define TINY_WINDOW_BYTES 256
#define SMALL_WINDOW_BYTES (8 << 10)
#define FRONT_WINDOW_BYTES (8192 - sizeof(tti_node_window) - sizeof(uint64_t)) /* tti_node_window_come() */
#define WINDOW_BYTES_FEW (960 << 10)
#define WINDOW_BYTES (640 << 10)
#define WINDOW_BYTES_LEAST (32 << 10)
#define PARTS_WINDOW_BYTES (68 << 10)
#define PARTS_WINDOW_BYTES_LEAST (9 << 10)

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

tti_node_layout tti_node_layout_of(const tti_node_shape *shape)
{
    const size_t ranks = shape->ranks, pairs = ranks * ranks;
    tti_node_layout at;
    at.cards = sizeof(tti_node_header);
    at.bells = at.cards + ranks * sizeof(tti_node_card);
    at.bell_stride = round_up(sizeof(tti_node_bell) + (ranks + 63) / 64 * sizeof(uint64_t), TTI_NODE_LINE);
    at.rings = round_up(at.bells + ranks * at.bell_stride, TTI_NODE_PAGE);
    at.ring_stride = sizeof(tti_node_ring) + shape->slots * sizeof(tti_node_slot);
    at.data = round_up(at.rings + pairs * at.ring_stride, TTI_NODE_PAGE);
    at.windows = round_up(at.data + pairs * shape->data_bytes, TTI_NODE_PAGE);
    at.total = round_up(at.windows + tti_node_windows_bytes(shape), TTI_NODE_PAGE);
    return at;
}

/* Half of the address space is the program's. */
static bool leaves_room(const tti_node_shape *shape)
{
    return tti_node_layout_of(shape).total <= tti_address_space_left() / 2;
}

tti_node_shape tti_node_shape_for(int ranks)
{
    const uint32_t ring_pages = ranks <= 4 ? 4 : ranks <= 16 ? 2 : 1;
    const uint32_t data_pages = ranks <= 2 ? 64 : ranks <= 8 ? 32 : ranks <= 16 ? 16 : 8;
    tti_node_shape shape = {
        .ranks = (uint32_t)ranks,
        .slots = (ring_pages * TTI_NODE_PAGE - (uint32_t)sizeof(tti_node_ring)) / TTI_NODE_LINE,
        .inline_max = TTI_NODE_INLINE_MAX,
        .data_bytes = data_pages * TTI_NODE_PAGE,
        .bells = ranks > FEW_RANKS,
        .window_sets = WINDOW_SETS,
        .window_bytes = {TINY_WINDOW_BYTES, SMALL_WINDOW_BYTES, FRONT_WINDOW_BYTES,
                         ranks <= 16 ? WINDOW_BYTES_FEW : WINDOW_BYTES, PARTS_WINDOW_BYTES},
    };
    if (ranks > LARGE_WINDOWS_RANKS || !leaves_room(&shape)) {
        shape.window_bytes[TTI_NODE_WINDOW_LARGE] = WINDOW_BYTES_LEAST;
        shape.window_bytes[TTI_NODE_WINDOW_PARTS] = PARTS_WINDOW_BYTES_LEAST;
    }
    return shape;
}

tti_node_card *tti_node_card_of(const tti_node *node, int peer)
{
    return (tti_node_card *)(node->header + 1) + peer;
}

int tti_node_rank_of(const tti_node *node, int peer)
{
    return node->job_ranks != NULL ? node->job_ranks[peer] : peer;
}

int tti_node_peer_gone(const tti_node *node, int peer)
{
    return tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d on this node is gone", tti_node_rank_of(node, peer));
}

/* No standard descriptor, where the program has closed one: what it prints would get into the memory. */
static int make_memfd(const char *name)
{
    const int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || fd > STDERR_FILENO) return fd;
    const int above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
    return above;
}

int tti_node_memfd(const char *name, size_t bytes)
{
    const int code = tti_node_check_file(name, bytes);
    if (code < 0) return code;
    const int fd = make_memfd(name);
    if (fd < 0) return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "%s: memfd_create", name);
    if (fchmod(fd, 0600) == 0 && ftruncate(fd, (off_t)bytes) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
        return fd;
    const int error = errno;
    close(fd);
    return tti_fail_errno(TUTTI_ERR_NO_MEMORY, error, "%s: a memfd of %zu bytes", name, bytes);
}

int tti_node_map_segment(int fd, size_t bytes, tti_node_header **header)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (at == MAP_FAILED) return tti_fail_mapping(errno, "the node's segment", bytes);
    /* A core file would hold all of it, also what was never used. */
    madvise(at, bytes, MADV_DONTDUMP);
    *header = at;
    return 0;
}

int tti_node_make_segment(const tti_node_shape *shape, const tti_crossings *crossings, int *fd,
                          tti_node_header **header)
{
    const tti_node_layout at = tti_node_layout_of(shape);
    /* Data areas and windows are counted once per rank: few pairs exchange large packets at a time, and most
     * collectives are small. */
    int code = tti_node_check_room(
        "the node's shared segment",
        at.data + (uint64_t)shape->ranks * (shape->data_bytes + shape->window_bytes[TTI_NODE_WINDOW_LARGE]));
    if (code < 0) return code;
    *fd = tti_node_memfd("tutti-node", at.total);
    if (*fd < 0) return *fd;
    code = tti_node_map_segment(*fd, at.total, header);
    if (code < 0) {
        close(*fd);
        *fd = -1;
        return code;
    }
    tti_node_header *made = *header;
    made->shape = *shape;
    made->crossings = *crossings;
    made->bytes = at.total;
    made->magic = TTI_NODE_MAGIC;
    if (tti_random_fill(&made->cookie, sizeof made->cookie, "a node's memory") < 0)
        made->cookie = (uint64_t)tti_clock_ns();
    for (uint32_t i = 0; i < shape->ranks; i++) {
        tti_node_bell *bell = (tti_node_bell *)((char *)made + at.bells + i * at.bell_stride);
        atomic_init(&bell->wake_pipe.fd, -1);
        atomic_init(&((tti_node_card *)(made + 1) + i)->arena.fd, -1);
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A single copy by two: the receiver reads chunks of the sender's memory from the front, while the sender,
 * which would only wait, writes chunks into the receiver's from the end. Who does which is decided chunk by
 * chunk on the receiver's desk in the segment, so that neither waits for a peer that does something else: a
 * sender that comes late, or never, finds less, or nothing, left to do. */
#include "runtime/node/shared_copy.h"

#include <sched.h>

#include "runtime/base/clock.h"
#include "runtime/base/pause.h"
#include "runtime/base/status.h"
#include "runtime/node/segment.h"
#include "runtime/node/single_copy.h"

/* Halves are best: each call costs, and smaller chunks make the two meet more often in the same pages and
 * locks. A long copy has more of them, for a peer that comes late. */
#define MOST_CHUNK ((size_t)2 << 20)
#define MOST_CHUNKS 60000
/* Looks at the peer's progress before the core is offered to it. */
#define LOOKS 2000

#define SERIAL(claims) ((uint32_t)((claims) >> 32))
#define THEIRS(claims) ((uint32_t)((claims) >> 16) & 0xffff)
#define OWN(claims) ((uint32_t)(claims)&0xffff)
#define ONE_OF_THEIRS (UINT64_C(1) << 16)
#define ONE_OWN UINT64_C(1)

typedef struct {
    size_t bytes, chunk;
    uint32_t count;
} cut;

static cut cut_up(size_t bytes)
{
    const size_t half = ((bytes + 1) / 2 + TTI_NODE_PAGE - 1) / TTI_NODE_PAGE * TTI_NODE_PAGE;
    size_t chunk = half < MOST_CHUNK ? half : MOST_CHUNK;
    while (bytes / chunk >= MOST_CHUNKS)
        chunk *= 2;
    return (cut){bytes, chunk, (uint32_t)((bytes + chunk - 1) / chunk)};
}

static size_t chunk_bytes(const cut *c, uint32_t index)
{
    const size_t left = c->bytes - index * c->chunk;
    return left < c->chunk ? left : c->chunk;
}

/* Takes one of the chunks that are left: true, and what was taken before. */
static bool claim(tti_node_desk *desk, uint32_t serial, uint32_t count, uint64_t one, uint64_t *before)
{
    *before = atomic_load(&desk->claims);
    do
        if (SERIAL(*before) != serial || THEIRS(*before) + OWN(*before) >= count) return false;
    while (!atomic_compare_exchange_weak(&desk->claims, before, *before + one));
    return true;
}

uint32_t tti_node_share_begin(tti_node *node)
{
    tti_node_desk *desk = &tti_node_card_of(node, node->index)->desk;
    atomic_store(&desk->done, 0);
    atomic_store(&desk->failed, false);
    atomic_store(&desk->claims, (uint64_t)++node->shared << 32);
    return node->shared;
}

static int read_chunk(tti_node *node, int peer, uint64_t remote, char *local, const cut *c, uint32_t index)
{
    const size_t at = index * c->chunk;
    return tti_node_read(node, peer, remote + at, local + at, chunk_bytes(c, index));
}

/* Until the peer has written what it took. It does nothing else meanwhile, but it may lose its core, or die.
 */
static int await_peer(tti_node *node, int peer, const tti_node_desk *desk, uint32_t taken)
{
    for (unsigned looks = 1; atomic_load(&desk->done) != taken; looks++) {
        tti_pause();
        if (looks % LOOKS != 0) continue;
        sched_yield();
        if (tti_node_has_ended(node, peer))
            return tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d died while it copied",
                            tti_node_rank_of(node, peer));
    }
    return 0;
}

/* No number is that of a closed desk, and nothing is left on it. */
#define CLOSED UINT64_C(0xffff)

/* Lets the peer take no more; returns how many it took. */
static uint32_t close_desk(tti_node_desk *desk)
{
    return THEIRS(atomic_exchange(&desk->claims, CLOSED));
}

int tti_node_share_read(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes)
{
    tti_node_desk *desk = &tti_node_card_of(node, node->index)->desk;
    const cut c = cut_up(bytes);
    uint64_t before;
    int code = 0;
    while (code == 0 && claim(desk, node->shared, c.count, ONE_OWN, &before))
        code = read_chunk(node, peer, remote, local, &c, OWN(before));
    const uint32_t taken = close_desk(desk);
    const int ended = await_peer(node, peer, desk, taken);
    if (code == 0) code = ended;
    for (uint32_t i = 0; code == 0 && i < taken && atomic_load(&desk->failed); i++)
        code = read_chunk(node, peer, remote, local, &c, c.count - 1 - i);
    return code;
}

void tti_node_share_help(tti_node *node, int peer, uint32_t serial, uint64_t remote, const void *mine,
                         size_t bytes)
{
    tti_node_desk *desk = &tti_node_card_of(node, peer)->desk;
    const cut c = cut_up(bytes);
    uint64_t before;
    while (claim(desk, serial, c.count, ONE_OF_THEIRS, &before)) {
        const uint32_t index = c.count - 1 - THEIRS(before);
        const size_t at = index * c.chunk;
        if (tti_node_write(node, peer, remote + at, (const char *)mine + at, chunk_bytes(&c, index)) < 0)
            atomic_store(&desk->failed, true);
        atomic_fetch_add(&desk->done, 1);
    }
}

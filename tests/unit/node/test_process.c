/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes as ranks, with a stand-in for pmi: finding the segment, packets, sleeping, single copies, mapped
 * memory, and peers that are killed. */
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/options.h"
#include "runtime/node/arena.h"
#include "runtime/node/bell.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/segment.h"
#include "runtime/node/single_copy.h"
#include "runtime/node/view.h"
#include "tests/patience.h"

#define RANKS 5
#include "tests/unit/node/node_processes.h"

static void add_number(void *context, int peer, const void *packet, size_t bytes)
{
    int number;
    EXPECT(bytes == sizeof number);
    memcpy(&number, packet, sizeof number);
    EXPECT(number % RANKS == peer);
    ++*(int *)context;
}

static void test_packets(tti_node *node)
{
    const int each = 300;
    int got = 0, number;
    for (int i = 0; i < each; i++)
        for (int peer = 0; peer < RANKS; peer++) {
            number = i * RANKS + node->index;
            while (tti_node_send(node, peer, &number, sizeof number, NULL, 0) == 1)
                tti_node_poll(node, 100, add_number, &got);
        }
    while (got < each * RANKS) {
        tti_node_arm(node);
        if (tti_node_poll(node, 100, add_number, &got) == 0) {
            struct pollfd one = {.fd = tti_node_wake_fd(node), .events = POLLIN};
            if (node->index % 2 == 0)
                poll(&one, 1, -1);
            else
                tti_node_sleep(node, 1000000);
        }
        tti_node_disarm(node);
    }
}

static void test_copies(tti_node *node)
{
    const size_t bytes = 3000000;
    unsigned char *mine = malloc(bytes), *theirs = malloc(bytes);
    memset(mine, node->index + 1, bytes);
    atomic_store(&shared->words[node->index], (uintptr_t)mine);
    meet(0, 0);
    const int peer = (node->index + 1) % RANKS;
    const uint64_t remote = atomic_load(&shared->words[peer]);
    if (!tti_node_can_read(node, peer)) SKIP("the kernel refuses process_vm_readv");
    EXPECT(tti_node_read(node, peer, remote, theirs, bytes) == 0);
    EXPECT(theirs[0] == peer + 1 && theirs[bytes - 1] == peer + 1);
    meet(1, 0);
    memset(theirs, node->index + 100, bytes);
    EXPECT(tti_node_write(node, peer, remote, theirs, bytes) == 0);
    meet(2, 0);
    EXPECT(mine[0] == (node->index + RANKS - 1) % RANKS + 100 && mine[bytes - 1] == mine[0]);
    EXPECT(tti_node_read(node, peer, 16, theirs, 8) == TUTTI_ERR_UNSUPPORTED);
    free(mine);
    free(theirs);
}

#define PAGE ((size_t)4096)
#define ALIKE_MOST ((size_t)300000) /* more than goes at a time where the two places lie alike */

/* To and from a place that lies so many bytes further into its page than the peer's. */
static void copy_alike(tti_node *node, int peer, uint64_t remote, size_t apart, size_t bytes)
{
    static unsigned char room[ALIKE_MOST + 3 * PAGE];
    unsigned char *local = room + PAGE + (remote + apart - (uintptr_t)room) % PAGE;
    memset(room, 0xee, sizeof room);
    EXPECT(tti_node_read(node, peer, remote, local, bytes) == 0);
    for (size_t i = 0; i < bytes; i++)
        EXPECT(local[i] == (unsigned char)((size_t)peer + i % 199));
    EXPECT(local[-1] == 0xee && local[bytes] == 0xee);
    memset(local, 0, bytes);
    for (size_t i = 0; i < bytes; i++)
        local[i] = (unsigned char)((size_t)peer + i % 199 + 1);
    EXPECT(tti_node_write(node, peer, remote, local, bytes) == 0);
    memset(local, 0, bytes);
    EXPECT(tti_node_read(node, peer, remote, local, bytes) == 0);
    for (size_t i = 0; i < bytes; i++)
        local[i]--;
    EXPECT(tti_node_write(node, peer, remote, local, bytes) == 0);
}

/* Where two places lie alike in their pages copies go by way of a third. */
static void test_alike(tti_node *node)
{
    const size_t sizes[] = {511, 512, 5000, ALIKE_MOST};
    const size_t aparts[] = {0, 1, 8, 15, 16, PAGE - 15, PAGE - 1};
    unsigned char *mine = malloc(ALIKE_MOST + PAGE), *from = mine + node->index * 64;
    const int peer = (node->index + 1) % RANKS;
    for (size_t i = 0; i < ALIKE_MOST; i++)
        from[i] = (unsigned char)((size_t)node->index + i % 199);
    atomic_store(&shared->words[node->index], (uintptr_t)from);
    meet(6, 0);
    const uint64_t remote = atomic_load(&shared->words[peer]);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t a = 0; a < sizeof aparts / sizeof aparts[0]; a++)
            copy_alike(node, peer, remote, aparts[a], sizes[s]);
    EXPECT(node->between != NULL);
    meet(7, 0);
    free(mine);
}

static void test_memory(tti_node *node)
{
    void *base, *again, *other;
    uint64_t id, small;
    EXPECT(tti_node_mem_alloc(node, 100000, &base, &id) == 0);
    EXPECT(tti_node_mem_alloc(node, 0, &other, &small) == 0 && other != base && id != small);
    EXPECT(tti_node_mem_free(node, other) == 0);
    EXPECT(tti_node_mem_free(node, other) == TUTTI_ERR_ARG);
    _Atomic int *mine = base;
    EXPECT(mine[0] == 0 && mine[24999] == 0);
    atomic_store(&shared->words[node->index], id);
    meet(3, 0);
    for (int peer = 0; peer < RANKS; peer++) {
        EXPECT(tti_node_mem_map(node, peer, atomic_load(&shared->words[peer]), &other) == 0);
        EXPECT(tti_node_mem_map(node, peer, atomic_load(&shared->words[peer]), &again) == 0 &&
               again == other);
        atomic_fetch_add((_Atomic int *)other + 24999, 1);
        tti_node_mem_unmap(node, other);
    }
    meet(4, 0);
    EXPECT(atomic_load(&mine[24999]) == RANKS);
    EXPECT(tti_node_mem_map(node, 0, UINT64_C(1) << 50, &other) == TUTTI_ERR_ARG);
    EXPECT(tti_node_mem_free(node, base) == 0);
    EXPECT(tti_node_mem_alloc(node, 100000, &base, &id) == 0 && ((int *)base)[24999] == 0);
    EXPECT(tti_node_mem_alloc(node, (size_t)1 << 39, &base, &id) == TUTTI_ERR_NO_MEMORY);
    EXPECT(strstr(tutti_error_detail(), "needs 549755813888 bytes") != NULL);
}

/* The last rank dies; what was sent to it and asked of it ends with an answer. */
static void test_killed(tti_node *node)
{
    const int victim = RANKS - 1;
    uint64_t word = 0;
    atomic_store(&shared->words[node->index], (uintptr_t)&word);
    meet(5, 0);
    if (node->index == victim) raise(SIGKILL);
    const int64_t end = tti_clock_ns() + PATIENCE_NS;
    int code = 0;
    while (code == 0 && tti_clock_ns() < end)
        code = tti_node_read(node, victim, atomic_load(&shared->words[victim]), &word, sizeof word);
    EXPECT(code == TUTTI_ERR_PEER_FAILED);
    int sent = 0;
    while (tti_node_send(node, victim, &sent, sizeof sent, NULL, 0) == 0)
        EXPECT(sent++ < 1000000);
}

static void rank_main(int index)
{
    const tti_job job = job_of(index);
    tti_node *node;
    EXPECT(tti_options_load(NULL) == 0);
    EXPECT(tti_node_open(&job, &node) == 0);
    test_packets(node);
    test_copies(node);
    test_alike(node);
    test_memory(node);
    test_killed(node);
    tti_node_close(node);
    tti_options_unload();
}

int main(void)
{
    return run_processes(rank_main, RANKS - 1);
}

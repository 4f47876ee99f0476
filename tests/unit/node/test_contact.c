/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank opens of a peer's process: nothing that stays open, and nothing that is not the peer's, as
 * where another process has got its id. Two views in one process stand for two. */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/options.h"
#include "runtime/node/arena.h"
#include "runtime/node/bell.h"
#include "runtime/node/segment.h"
#include "runtime/node/single_copy.h"
#include "runtime/node/view.h"
#include "tests/descriptors.h"
#include "tests/unit/expect.h"

static tti_node *nodes[2];

static void test_copies(void)
{
    uint64_t word = 7, got = 0;
    const int before = count_descriptors();
    if (!tti_node_can_read(nodes[0], 1)) SKIP("the kernel refuses process_vm_readv");
    EXPECT(tti_node_read(nodes[0], 1, (uintptr_t)&word, &got, sizeof got) == 0 && got == 7);
    EXPECT(tti_node_write(nodes[0], 1, (uintptr_t)&got, &(uint64_t){8}, sizeof got) == 0 && got == 8);
    EXPECT(count_descriptors() == before);
}

/* The process that has the peer's id holds another word: nothing is written there, nothing read counts. */
static void test_another_process(void)
{
    uint64_t word = 7, got = 0;
    const int before = count_descriptors();
    const uint64_t proof = nodes[1]->proof;
    nodes[1]->proof++;
    for (int i = 0; i < 100; i++) {
        nodes[0]->contacts[1].seen_ns = 0;
        EXPECT(tti_node_read(nodes[0], 1, (uintptr_t)&word, &got, sizeof got) == TUTTI_ERR_PEER_FAILED);
        EXPECT(tti_node_write(nodes[0], 1, (uintptr_t)&word, &got, sizeof got) == TUTTI_ERR_PEER_FAILED);
        EXPECT(word == 7 && tti_node_has_ended(nodes[0], 1));
    }
    EXPECT(count_descriptors() == before);
    nodes[1]->proof = proof;
    EXPECT(tti_node_read(nodes[0], 1, (uintptr_t)&word, &got, sizeof got) == 0 && got == 7);
}

/* Memory that the kernel does not copy is no reason to take the peer for dead, or to copy nothing more. */
static void test_refused_memory(void)
{
    uint64_t word = 7, got = 0;
    EXPECT(tti_node_read(nodes[0], 1, 16, &got, sizeof got) == TUTTI_ERR_UNSUPPORTED);
    EXPECT(tti_node_write(nodes[0], 1, 16, &got, sizeof got) == TUTTI_ERR_UNSUPPORTED);
    EXPECT(!tti_node_has_ended(nodes[0], 1) && tti_node_can_read(nodes[0], 1));
    EXPECT(tti_node_read(nodes[0], 1, (uintptr_t)&word, &got, sizeof got) == 0 && got == 7);
}

static void test_mapping(void)
{
    void *mine, *theirs;
    uint64_t id;
    EXPECT(tti_node_mem_alloc(nodes[1], 10, &mine, &id) == 0);
    const int before = count_descriptors();
    EXPECT(tti_node_mem_map(nodes[0], 1, id, &theirs) == 0);
    EXPECT(count_descriptors() == before);
    strcpy(mine, "here");
    EXPECT(strcmp(theirs, "here") == 0);
    tti_node_mem_unmap(nodes[0], theirs);
}

static bool has_byte(int fd)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    char byte;
    return poll(&one, 1, 0) == 1 && read(fd, &byte, 1) == 1;
}

static void wake(int fd, bool through_pipe)
{
    while (has_byte(fd))
        continue;
    tti_node_arm(nodes[1]);
    tti_node_poke(nodes[0], 1);
    EXPECT(has_byte(fd) == through_pipe);
    tti_node_disarm(nodes[1]);
}

/* Another pipe has the number that the peer's had: nothing is written into that. */
static void test_waking(void)
{
    int strange[2];
    const int fd = tti_node_wake_fd(nodes[1]);
    EXPECT(fd >= 0 && pipe(strange) == 0);
    const int kept = dup(nodes[1]->pipe[1]);
    EXPECT(dup2(strange[1], nodes[1]->pipe[1]) >= 0);
    wake(fd, false);
    EXPECT(!has_byte(strange[0]));
    EXPECT(dup2(kept, nodes[1]->pipe[1]) >= 0);
    wake(fd, true);
    close(kept);
    close(strange[0]);
    close(strange[1]);
}

int main(void)
{
    void *segment = NULL;
    EXPECT(tti_options_load(NULL) == 0);
    for (int i = 0; i < 2; i++)
        EXPECT(tti_node_open_threads(2, i, &segment, &nodes[i]) == 0);
    test_waking();
    test_mapping();
    test_copies();
    test_another_process();
    test_refused_memory();
    tti_node_close(nodes[0]);
    tti_node_close(nodes[1]);
    tti_options_unload();
    return 0;
}

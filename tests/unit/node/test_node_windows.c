/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of windows that nobody has had before is given out without a touch of its memory; one that was used
 * comes with counts of 0. */
#include <sys/stat.h>

#include "runtime/node/node_windows.h"
#include "runtime/node/segment.h"
#include "runtime/node/view.h"
#include "tests/unit/expect.h"

#define RANKS 16

static tti_node *node;
static int peers[RANKS];

static int take(uint64_t number)
{
    const int set = tti_node_windows_take(node, peers, RANKS, &(tti_node_windows_name){1, number});
    EXPECT(set > TTI_NODE_WINDOWS_OF_ALL);
    return set;
}

static long long blocks(void)
{
    struct stat status;
    EXPECT(fstat(node->fd, &status) == 0);
    return (long long)status.st_blocks;
}

/* The first one's head has touched what holds all heads. */
static int test_untouched(void)
{
    const int first = take(1);
    const long long before = blocks();
    EXPECT(take(2) != first);
    EXPECT(blocks() == before);
    return first;
}

static void put(_Atomic uint64_t *word, uint64_t expected, uint64_t value)
{
    EXPECT(atomic_load(word) == expected);
    atomic_store(word, value);
}

/* Puts `value` wherever a use may leave something, and finds `expected` there. */
static void put_all(int set, int peer, uint64_t expected, uint64_t value)
{
    const tti_node_windows_layout l = tti_node_windows_lie(node, set);
    tti_node_window_counts *counts = (void *)(l.first + (size_t)peer * l.of_peer);
    EXPECT(atomic_load(&counts->wanted) == expected && atomic_load(&counts->withdrawn) == expected);
    atomic_store(&counts->wanted, (uint32_t)value);
    atomic_store(&counts->withdrawn, (uint32_t)value);
    for (int word = 0; word < TTI_NODE_WINDOW_CALL; word++)
        put(&counts->call[word], expected, value);
    for (int kind = 0; kind < TTI_NODE_WINDOW_KINDS; kind++) {
        char *at = (char *)counts + l.at[kind];
        put(&counts->finished[kind], expected, value);
        for (unsigned w = 0; w < tti_node_windows_count((enum tti_node_window_kind)kind);
             w++, at += l.stride[kind]) {
            put(&((tti_node_window *)(void *)at)->posted, expected, value);
            if (peer == tti_node_windows_of_last(node)) put(tti_node_window_come(at), expected, value);
        }
    }
}

static void test_used(int set)
{
    for (int peer = 0; peer <= RANKS; peer++)
        put_all(set, peer, 0, 7);
    tti_node_windows_give_back(node, set);
    EXPECT(take(3) == set);
    for (int peer = 0; peer <= RANKS; peer++)
        put_all(set, peer, 0, 0);
}

int main(void)
{
    void *segment = NULL;
    for (int i = 0; i < RANKS; i++)
        peers[i] = i;
    EXPECT(tti_node_open_threads(RANKS, 0, &segment, &node) == 0);
    test_used(test_untouched());
    tti_node_close(node);
    return 0;
}

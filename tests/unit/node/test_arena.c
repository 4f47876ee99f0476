/* SPDX-License-Identifier: BSD-3-Clause */
/* Shareable memory where something is in the way: signals that come faster than pages, and no room to map. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/base/options.h"
#include "runtime/node/arena.h"
#include "runtime/node/segment.h"
#include "runtime/node/view.h"
#include "tests/sanitized.h"
#include "tests/unit/expect.h"

#define BYTES ((size_t)64 << 20)
#define TICK_US 50 /* in which BYTES are not to be had by far */

static void tick(int number)
{
    (void)number;
}

static void set_timer(suseconds_t us)
{
    const struct itimerval timer = {{0, us}, {0, us}};
    EXPECT(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

static void test_signals(tti_node *node)
{
    const struct sigaction action = {.sa_handler = tick};
    void *base;
    uint64_t id;
    EXPECT(sigaction(SIGALRM, &action, NULL) == 0);
    set_timer(TICK_US);
    EXPECT(tti_node_mem_alloc(node, BYTES, &base, &id) == 0);
    set_timer(0);
    memset(base, 1, BYTES);
    EXPECT(tti_node_mem_free(node, base) == 0);
}

/* Bytes behind all that this rank has allocated. */
static long long held(const tti_node *node)
{
    struct stat state;
    EXPECT(fstat(atomic_load(&tti_node_card_of(node, 0)->arena.fd), &state) == 0);
    return (long long)state.st_blocks * 512;
}

static void limit_to(rlim_t bytes)
{
    struct rlimit limit;
    EXPECT(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = bytes;
    EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
}

/* What cannot be mapped gives its pages back. */
static void test_no_room(tti_node *node)
{
    void *base;
    uint64_t id;
    EXPECT(held(node) == 0);
    if (SANITIZED) return;
    limit_to(BYTES / 2);
    EXPECT(tti_node_mem_alloc(node, BYTES, &base, &id) == TUTTI_ERR_NO_MEMORY);
    limit_to(RLIM_INFINITY);
    EXPECT(held(node) == 0);
}

int main(void)
{
    void *segment = NULL;
    tti_node *node;
    EXPECT(tti_options_load(NULL) == 0);
    EXPECT(tti_node_open_threads(1, 0, &segment, &node) == 0);
    test_signals(node);
    test_no_room(node);
    tti_node_close(node);
    tti_options_unload();
    return 0;
}

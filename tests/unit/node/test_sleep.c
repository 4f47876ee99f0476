/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeping: no wake-up is ever lost. Every wait here is without a time limit, so that a lost one would hang
 * the test and show. */
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/node/bell.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/view.h"
#include "tests/unit/node/node_threads.h"

static int rounds;
static bool by_descriptor;

static void count_packet(void *context, int peer, const void *packet, size_t bytes)
{
    (void)peer, (void)packet, (void)bytes;
    ++*(int *)context;
}

static void await_packet(tti_node *node, int *got)
{
    const int before = *got, fd = by_descriptor ? tti_node_wake_fd(node) : -1;
    while (*got == before) {
        tti_node_arm(node);
        if (tti_node_poll(node, 1, count_packet, got) == 0) {
            struct pollfd one = {.fd = fd, .events = POLLIN};
            if (by_descriptor)
                poll(&one, 1, -1);
            else
                tti_node_sleep(node, -1);
        }
        tti_node_disarm(node);
    }
}

static void send_number(tti_node *node, int peer, int number)
{
    while (tti_node_send(node, peer, &number, sizeof number, NULL, 0) != 0)
        sched_yield();
}

/* A token goes round; everybody else sleeps. */
static void token(tti_node *node)
{
    int got = 0;
    for (int i = 0; i < rounds; i++) {
        if (node->index != 0) await_packet(node, &got);
        send_number(node, (node->index + 1) % node->ranks, i);
        if (node->index == 0) await_packet(node, &got);
    }
}

/* All send to rank 0, at their own pace; it sleeps whenever nothing is there. */
static void many_to_one(tti_node *node)
{
    int got = 0;
    if (node->index == 0)
        while (got < rounds * (node->ranks - 1))
            await_packet(node, &got);
    else
        for (int i = 0; i < rounds; i++) {
            send_number(node, 0, i);
            if (i % 7 == node->index % 7) sched_yield();
        }
}

static _Atomic int flag;

/* tti_node_wake() from another thread than the rank's. */
static void *wake_other(void *argument)
{
    for (int i = 1; i <= rounds; i++) {
        atomic_store(&flag, i);
        tti_node_wake(argument);
        while (atomic_load(&flag) != -i)
            sched_yield();
    }
    return NULL;
}

static void woken(tti_node *node)
{
    if (node->index != 0) return;
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, wake_other, node) == 0);
    for (int i = 1; i <= rounds; i++) {
        while (atomic_load(&flag) != i) {
            tti_node_arm(node);
            if (atomic_load(&flag) != i) tti_node_sleep(node, -1);
            tti_node_disarm(node);
        }
        atomic_store(&flag, -i);
    }
    pthread_join(thread, NULL);
}

static void test_timeout(void)
{
    void *segment = NULL;
    tti_node *node;
    EXPECT(tti_node_open_threads(1, 0, &segment, &node) == 0);
    const int64_t start = tti_clock_ns();
    tti_node_arm(node);
    tti_node_sleep(node, 20000000);
    tti_node_disarm(node);
    EXPECT(tti_clock_ns() - start >= 19000000);
    tti_node_close(node);
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    test_timeout();
    for (int i = 0; i < 2; i++) {
        by_descriptor = i == 1;
        tti_node_shape shape = tti_node_shape_for(2);
        rounds = 10000;
        run_ranks(&shape, token);
        run_ranks(&shape, many_to_one);
        shape = tti_node_shape_for(12);
        rounds = 500;
        run_ranks(&shape, token);
        run_ranks(&shape, many_to_one);
    }
    tti_node_shape shape = tti_node_shape_for(2);
    rounds = 5000;
    by_descriptor = false;
    run_ranks(&shape, woken);
    return 0;
}

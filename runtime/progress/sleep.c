/* SPDX-License-Identifier: BSD-3-Clause */
/* Of several threads that sleep one, the watcher, sleeps on the transports; the others sleep on the lock's
 * condition until it tells them. */
#include "runtime/progress/sleep.h"

#include <poll.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/node/bell.h"
#include "runtime/node/places.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/wake.h"
#include "runtime/progress/watchdog.h"

/* Longest sleeps, in ns: so seldom that it costs nothing, and some providers need a look now and then; and
 * the steps of a provider that cannot wake. The first sleeps on a node are shorter: what wakes nobody, a rank
 * in another call, is seen soon then. */
#define SLEEP_NODE_LEAST_NS 50000000
#define SLEEP_NODE_NS 1000000000
#define SLEEP_FABRIC_NS 100000000
/* The same while packets wait for room, of which the news may get lost. */
#define SLEEP_BLOCKED_NS 10000000
#define SLEEP_BLOCKED_FABRIC_NS 1000000
#define SLEEP_BLIND_LEAST_NS 20000
#define SLEEP_BLIND_MOST_NS 1000000

static bool watched; /* a thread is the watcher */

/* Each sleep is twice as long as the one before. */
static int64_t lengthen(int64_t *ns, int64_t least, int64_t most)
{
    const int64_t now = *ns > 0 ? *ns : least;
    *ns = now < most / 2 ? now * 2 : most;
    return now;
}

static void sleep_in_poll(tti_sleeper *s, int fabric_fd, bool blocked)
{
    struct pollfd fds[3] = {{.fd = tti_asleep.event_fd, .events = POLLIN}};
    int64_t ns = blocked ? SLEEP_BLOCKED_FABRIC_NS : SLEEP_FABRIC_NS;
    nfds_t count = 1;
    if (fabric_fd >= 0)
        fds[count++] = (struct pollfd){.fd = fabric_fd, .events = POLLIN};
    else
        ns = lengthen(&s->blind_ns, SLEEP_BLIND_LEAST_NS, SLEEP_BLIND_MOST_NS);
    if (tti_peers.node != NULL)
        fds[count++] = (struct pollfd){.fd = tti_node_wake_fd(tti_peers.node), .events = POLLIN};
    const struct timespec limit = {.tv_nsec = (long)ns};
    ppoll(fds, count, &limit, NULL);
    uint64_t drained;
    if ((fds[0].revents & POLLIN) != 0 && read(tti_asleep.event_fd, &drained, sizeof drained) < 0) return;
}

static void sleep_on_node(tti_sleeper *s, bool blocked)
{
    const int64_t ns = lengthen(&s->node_ns, SLEEP_NODE_LEAST_NS, SLEEP_NODE_NS);
    tti_node_sleep(tti_peers.node, blocked ? SLEEP_BLOCKED_NS : tti_watchdog_nap(ns));
}

static void sleep_on_condition(void)
{
    tti_asleep.others++;
    tti_lock_sleep(tti_watchdog_nap(SLEEP_NODE_NS));
    tti_asleep.others--;
}

/* On whatever can wake this rank. Without the lock, but for the last case. */
static void sleep_on_transports(tti_sleeper *s, int fabric_fd)
{
    const bool alone = tti_peers.fabric == NULL && tti_peers.node == NULL,
               blocked = !tti_list_empty(&tti_peers.blocked);
    if (alone && tti_lock_needed) {
        sleep_on_condition(); /* of other threads alone: they wake as they wake each other */
        return;
    }
    tti_asleep.watcher_sleeps = true;
    tti_unlock();
    if (tti_peers.fabric != NULL)
        sleep_in_poll(s, fabric_fd, blocked);
    else if (tti_peers.node != NULL)
        sleep_on_node(s, blocked);
    else
        poll(NULL, 0, SLEEP_FABRIC_NS / 1000000);
    tti_lock();
    tti_asleep.watcher_sleeps = false;
}

/* Arms what can wake this rank, looks once more, and sleeps. */
static void watch(tti_sleeper *s, tti_core_loss *loss)
{
    int fabric_fd = -1;
    watched = true;
    tti_core_loss_slept(loss);
    tti_core_loss_turn_ends(loss, tti_peers.node, tti_clock_rough());
    if (tti_peers.node != NULL) {
        tti_node_note_place(tti_peers.node, TTI_NODE_NOWHERE);
        tti_node_arm(tti_peers.node);
    }
    const bool quiet = tti_progress_all() == 0 && !s->ready(s->argument);
    if (quiet && (tti_peers.fabric == NULL || tti_fabric_arm(tti_peers.fabric, &fabric_fd)))
        sleep_on_transports(s, fabric_fd);
    if (tti_peers.node != NULL) tti_node_disarm(tti_peers.node);
    tti_core_loss_turn_begins(loss, tti_clock_rough());
    watched = false;
    if (tti_asleep.others > 0) tti_lock_wake_all(); /* one of them watches next */
}

void tti_sleep(tti_sleeper *s, tti_core_loss *loss)
{
    /* Its caller may have given up the lock since it looked; what was done then wakes nobody any more. */
    if (!watched)
        watch(s, loss);
    else if (!s->ready(s->argument))
        sleep_on_condition();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's word of deaths: a descriptor of each other rank's process becomes readable when that ends,
 * however it does, which a thread that sleeps otherwise hears within a millisecond. The launcher tells the
 * same, later, and of all nodes. A rank that has left the node before it ended did so in order. Where
 * descriptors are few each rank watches as many as come behind it in a ring: so every rank is watched by
 * some, which the others hear it from (peers/death_news.c). */
#include "runtime/node/death_watch.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "runtime/base/thread.h"
#include "runtime/node/segment.h"
#include "runtime/node/view.h"

/* How often is looked for ranks that have not come yet, in ms. */
#define LOOK_LEAST_MS 1
#define LOOK_MOST_MS 500

enum { NOT_COME = -1, NOT_WATCHED = -2 };

struct tti_node_deaths {
    const tti_node *node;
    tti_node_death_fn *died;
    pthread_t thread;
    int end_fd;
    int look_ms;
    int count;                   /* of ranks watched */
    atomic_bool over, newcomers; /* it ends; processes in reserve may come */
    atomic_bool blind;           /* one that has come cannot be watched */
    struct pollfd fds[];         /* number i: the rank of the node that comes i behind this one; 0: the end */
};

static int peer_at(const tti_node_deaths *w, int i)
{
    return (w->node->index + i) % w->node->ranks;
}

static void set_over(struct pollfd *peer)
{
    if (peer->fd >= 0) close(peer->fd);
    peer->fd = NOT_WATCHED;
}

static void ended(tti_node_deaths *w, int i)
{
    const int peer = peer_at(w, i);
    set_over(&w->fds[i]);
    if (!tti_node_has_left(w->node, peer)) w->died(tti_node_rank_of(w->node, peer));
}

/* One that cannot be watched, for want of descriptors or in an old kernel, the launcher or other ranks tell
 * of.
 */
static void begin_one(tti_node_deaths *w, int i)
{
    const pid_t pid = atomic_load(&tti_node_card_of(w->node, peer_at(w, i))->pid);
    if (pid == 0) return;
    const int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    w->fds[i].fd = fd >= 0 ? fd : NOT_WATCHED;
    if (fd < 0 && errno == ESRCH)
        ended(w, i);
    else if (fd < 0)
        atomic_store(&w->blind, true);
}

/* How long may be slept, in ms: for ever, once all are watched. */
static int begin_those_that_came(tti_node_deaths *w)
{
    bool all = true;
    for (int i = 1; i <= w->count; i++) {
        const bool reserve = peer_at(w, i) >= w->node->expected && !atomic_load(&w->newcomers);
        if (w->fds[i].fd == NOT_COME) begin_one(w, i);
        all = all && (w->fds[i].fd != NOT_COME || reserve);
    }
    if (all) return -1;
    const int ms = w->look_ms;
    w->look_ms = ms * 2 < LOOK_MOST_MS ? ms * 2 : LOOK_MOST_MS;
    return ms;
}

static void *keep_watch(void *argument)
{
    tti_node_deaths *w = argument;
    uint64_t drained;
    while (!atomic_load(&w->over)) {
        if (poll(w->fds, (nfds_t)w->count + 1, begin_those_that_came(w)) <= 0) continue;
        if ((w->fds[0].revents & POLLIN) != 0 && read(w->end_fd, &drained, sizeof drained) > 0)
            w->look_ms = LOOK_LEAST_MS;
        for (int i = 1; i <= w->count; i++)
            if (w->fds[i].fd >= 0 && w->fds[i].revents != 0) ended(w, i);
    }
    return NULL;
}

/* The program needs descriptors, too; and poll() takes no more of them than the process may have. */
static int count_watchable(const tti_node *node)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &most) != 0) return 0;
    const rlim_t others = (rlim_t)node->ranks - 1;
    return (int)(others < most.rlim_cur / 2 ? others : most.rlim_cur / 4);
}

static tti_node_deaths *make(const tti_node *node, tti_node_death_fn *died)
{
    const int count = count_watchable(node);
    tti_node_deaths *w = calloc(1, sizeof *w + ((size_t)count + 1) * sizeof w->fds[0]);
    if (w == NULL) return NULL;
    w->node = node;
    w->died = died;
    w->look_ms = LOOK_LEAST_MS;
    w->count = count;
    for (int i = 1; i <= count; i++)
        w->fds[i] = (struct pollfd){.fd = NOT_COME, .events = POLLIN};
    w->end_fd = eventfd(0, EFD_CLOEXEC);
    w->fds[0] = (struct pollfd){.fd = w->end_fd, .events = POLLIN};
    return w;
}

tti_node_deaths *tti_node_deaths_open(const tti_node *node, tti_node_death_fn *died)
{
    tti_node_deaths *w = make(node, died);
    if (w != NULL && w->end_fd >= 0 && tti_thread_start(&w->thread, keep_watch, w) == 0) return w;
    if (w != NULL && w->end_fd >= 0) close(w->end_fd);
    free(w);
    tti_log(TTI_LOG_INFO,
            "deaths on this node are heard of from the launcher alone: no memory, descriptors or "
            "thread to watch the processes");
    return NULL;
}

static void wake(const tti_node_deaths *w)
{
    const uint64_t one = 1;
    while (write(w->end_fd, &one, sizeof one) < 0 && errno == EINTR)
        continue;
}

bool tti_node_deaths_are_all_heard(const tti_node_deaths *w)
{
    return w != NULL && w->count == w->node->ranks - 1 && !atomic_load(&w->blind);
}

void tti_node_deaths_expect(tti_node_deaths *w)
{
    if (w == NULL) return;
    atomic_store(&w->newcomers, true);
    wake(w);
}

void tti_node_deaths_close(tti_node_deaths *w)
{
    if (w == NULL) return;
    atomic_store(&w->over, true);
    wake(w);
    pthread_join(w->thread, NULL);
    for (int i = 0; i <= w->count; i++)
        set_over(&w->fds[i]);
    free(w);
}

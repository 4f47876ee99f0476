/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's word of deaths: a descriptor of each other rank's process becomes readable when that ends,
 * however it does, which a thread that sleeps otherwise hears within a millisecond. The launcher tells the
 * same, later, and of all nodes. A rank that has left the node before it ended did so in order. Where
 * descriptors are few each rank watches as many as come behind it in a ring: so every rank is watched by
 * some, which the others hear it from (peers/death_news.c).
 *
 * It waits by epoll: poll() refuses more descriptors than the process may open, and the program may lower
 * that limit at any time. */
#include "runtime/node/death_watch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "runtime/base/thread.h"
#include "runtime/node/segment.h"
#include "runtime/node/view.h"

/* How often is looked for ranks that have not come yet, in ms. */
#define LOOK_LEAST_MS 1
#define LOOK_MOST_MS 500
/* Where it cannot wait any more, since the program has closed what is not its own. */
#define PAUSE_NS 500000000
#define NEWS 16 /* taken at a time */

enum { NOT_COME = -1, NOT_WATCHED = -2 };

struct tti_node_deaths {
    const tti_node *node;
    tti_node_death_fn *died;
    pthread_t thread;
    int epoll_fd, end_fd;
    int look_ms;
    int count;                   /* of ranks watched */
    atomic_bool over, newcomers; /* it ends; processes in reserve may come */
    atomic_bool blind;           /* one that has come cannot be watched */
    int fds[]; /* number i: of the rank of the node that comes i behind this one; 0: unused */
};

static int peer_at(const tti_node_deaths *w, int i)
{
    return (w->node->index + i) % w->node->ranks;
}

/* As number i; 0: the end. */
static bool wait_for(const tti_node_deaths *w, int i, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
    return epoll_ctl(w->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Closing alone ends no waiting where a child of this process has the descriptor, too. */
static void set_over(tti_node_deaths *w, int i)
{
    if (w->fds[i] >= 0) {
        epoll_ctl(w->epoll_fd, EPOLL_CTL_DEL, w->fds[i], NULL);
        close(w->fds[i]);
    }
    w->fds[i] = NOT_WATCHED;
}

static void ended(tti_node_deaths *w, int i)
{
    const int peer = peer_at(w, i);
    set_over(w, i);
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
    if (fd < 0 && errno == ESRCH) {
        ended(w, i);
        return;
    }
    w->fds[i] = fd;
    if (fd >= 0 && wait_for(w, i, fd)) return;
    set_over(w, i);
    atomic_store(&w->blind, true);
}

/* How long may be slept, in ms: for ever, once all are watched. */
static int begin_those_that_came(tti_node_deaths *w)
{
    bool all = true;
    for (int i = 1; i <= w->count; i++) {
        const bool reserve = peer_at(w, i) >= w->node->expected && !atomic_load(&w->newcomers);
        if (w->fds[i] == NOT_COME) begin_one(w, i);
        all = all && (w->fds[i] != NOT_COME || reserve);
    }
    if (all) return -1;
    const int ms = w->look_ms;
    w->look_ms = ms * 2 < LOOK_MOST_MS ? ms * 2 : LOOK_MOST_MS;
    return ms;
}

static void take(tti_node_deaths *w, int i)
{
    uint64_t drained;
    if (i > 0 && w->fds[i] >= 0) ended(w, i);
    if (i == 0 && read(w->end_fd, &drained, sizeof drained) > 0) w->look_ms = LOOK_LEAST_MS;
}

static void *keep_watch(void *argument)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_NS};
    tti_node_deaths *w = argument;
    struct epoll_event news[NEWS];
    while (!atomic_load(&w->over)) {
        const int count = epoll_wait(w->epoll_fd, news, NEWS, begin_those_that_came(w));
        if (count < 0 && errno != EINTR) nanosleep(&pause, NULL);
        for (int k = 0; k < count; k++)
            take(w, (int)news[k].data.u32);
    }
    return NULL;
}

/* The program needs descriptors, too. */
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
    w->fds[0] = NOT_WATCHED;
    for (int i = 1; i <= count; i++)
        w->fds[i] = NOT_COME;
    w->end_fd = eventfd(0, EFD_CLOEXEC);
    w->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    return w;
}

static void free_watch(tti_node_deaths *w)
{
    if (w == NULL) return;
    for (int i = 1; i <= w->count; i++)
        set_over(w, i);
    if (w->end_fd >= 0) close(w->end_fd);
    if (w->epoll_fd >= 0) close(w->epoll_fd);
    free(w);
}

tti_node_deaths *tti_node_deaths_open(const tti_node *node, tti_node_death_fn *died)
{
    tti_node_deaths *w = make(node, died);
    if (w != NULL && wait_for(w, 0, w->end_fd) && tti_thread_start(&w->thread, keep_watch, w) == 0) return w;
    free_watch(w);
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
    free_watch(w);
}

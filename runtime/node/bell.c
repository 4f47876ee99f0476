/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeping until a peer sends, and waking. */
#include "runtime/node/bell.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/node/ordered.h"
#include "runtime/node/peer_file.h"
#include "runtime/node/segment.h"

static void write_byte(int fd)
{
    /* A full pipe is as readable as can be. */
    while (write(fd, "", 1) < 0 && errno == EINTR) {
    }
}

/* Gives up what was opened to wake another rank; false: there is nothing. */
static bool close_one(tti_node *node)
{
    for (int i = 0; i < node->ranks; i++) {
        tti_node_contact *contact = &node->contacts[i];
        if (contact->wake_fd < 0) continue;
        close(contact->wake_fd);
        contact->wake_fd = -1;
        return true;
    }
    return false;
}

/* Opened for reading too, so that writing after the peer closed it raises no SIGPIPE. */
static int open_pipe(tti_node *node, int peer, const tti_node_file *shown)
{
    for (;;) {
        const int fd = tti_node_open_of(node, peer, shown, O_RDWR | O_NONBLOCK);
        if (fd != TUTTI_ERR_LIMIT || !close_one(node)) return fd;
    }
}

/* Wakes a sleeper that waits on its pipe. Where the pipe cannot be opened the peer is gone, or this process
 * has no descriptor left: the sleeper looks by itself from time to time. */
static void write_pipe(tti_node *node, int peer, const tti_node_file *shown)
{
    if (peer == node->index) {
        write_byte(atomic_load(&shown->fd));
        return;
    }
    tti_node_contact *contact = &node->contacts[peer];
    if (contact->wake_fd < 0) contact->wake_fd = open_pipe(node, peer, shown);
    if (contact->wake_fd >= 0) write_byte(contact->wake_fd);
}

TTI_HOT bool tti_node_is_awake(const tti_node *node, int peer)
{
    return (atomic_load_explicit(&node->out[peer].bell->word, memory_order_relaxed) & TTI_NODE_ARMED) == 0;
}

/* Turns an armed bell, so that nobody else does: true for whoever is to ring it then. */
static bool turn(tti_node_bell *bell)
{
    uint32_t word = atomic_load(&bell->word);
    while ((word & TTI_NODE_ARMED) != 0) {
        /* Adding one to an armed word clears the bit and carries into the epoch. */
        if (atomic_compare_exchange_weak(&bell->word, &word, word + TTI_NODE_ARMED)) return true;
    }
    return false;
}

static void ring(tti_node *node, int peer)
{
    tti_node_bell *bell = node->out[peer].bell;
    if (atomic_load(&bell->wake_pipe.fd) >= 0)
        write_pipe(node, peer, &bell->wake_pipe);
    else
        syscall(SYS_futex, &bell->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void tti_node_poke(tti_node *node, int peer)
{
    if (turn(node->out[peer].bell)) ring(node, peer);
}

void tti_node_wake(tti_node *node)
{
    /* Whatever the sleeper is to find was stored before; the exchange-free look needs it ordered. */
    atomic_fetch_add(&node->bell->word, 0);
    /* Also if it is turned: by a peer that died before it could ring, perhaps, of which the sleeper is to be
     * told now. */
    turn(node->bell);
    ring(node, node->index);
}

void tti_node_ask_for_room(tti_node *node)
{
    if (!node->refused) return;
    node->refused = false;
    for (int peer = 0; peer < node->ranks; peer++) {
        tti_node_outbox *out = &node->out[peer];
        if (out->refused) atomic_store(&out->ring->wanted, 1);
        out->refused = false;
    }
}

void tti_node_arm(tti_node *node)
{
    atomic_fetch_or(&node->bell->word, TTI_NODE_ARMED);
    tti_node_ask_for_room(node);
    tti_node_order(node);
}

void tti_node_sleep(tti_node *node, int64_t timeout_ns)
{
    const uint32_t word = atomic_load(&node->bell->word);
    if ((word & TTI_NODE_ARMED) == 0) return;
    const struct timespec limit = {timeout_ns / TTI_NS_PER_SECOND, timeout_ns % TTI_NS_PER_SECOND};
    syscall(SYS_futex, &node->bell->word, FUTEX_WAIT, word, timeout_ns < 0 ? NULL : &limit, NULL, 0);
}

static void drain_pipe(int fd)
{
    char bytes[64];
    while (read(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes) {
    }
}

void tti_node_disarm(tti_node *node)
{
    atomic_fetch_and(&node->bell->word, ~TTI_NODE_ARMED);
    if (node->pipe[0] >= 0) drain_pipe(node->pipe[0]);
}

int tti_node_wake_fd(tti_node *node)
{
    if (node->pipe[0] >= 0) return node->pipe[0];
    if (pipe2(node->pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
        node->pipe[0] = node->pipe[1] = -1;
        return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "a pipe to be woken by");
    }
    tti_node_show_file(&node->bell->wake_pipe, node->pipe[1]);
    /* A peer may have woken the futex just before: the first wait does not block. */
    write_byte(node->pipe[1]);
    return node->pipe[0];
}

void tti_node_close_bell(tti_node *node)
{
    while (close_one(node))
        continue;
    if (node->pipe[0] < 0) return;
    atomic_store(&node->bell->wake_pipe.fd, -1);
    close(node->pipe[0]);
    close(node->pipe[1]);
}

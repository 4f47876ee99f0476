/* SPDX-License-Identifier: BSD-3-Clause */
/* Bulk data straight from one process's memory to another's: process_vm_readv and process_vm_writev.
 *
 * A process id may be used again after its process died. A copy therefore counts only if the process was
 * proven to be the peer (it holds the word that the peer's card says it holds) and its pidfd, opened before
 * the proof, still names a process afterwards. That is a system call, as long as the copy of some KiB; so it
 * is not asked again for a moment in which no process id can come round: the kernel hands them out in turn.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/node/segment.h"

/* The kernel copies at most 2 GiB less a page in one call. */
#define MOST_AT_ONCE ((size_t)1 << 30)
/* That moment, in ns: time for some tens of processes to start. */
#define SEEN_NS 1000000

int tti_node_open_of(const tti_node *node, int peer, int fd, int flags)
{
    const pid_t pid = atomic_load(&tti_node_card_of(node, peer)->pid);
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)pid, fd);
    const int opened = open(path, flags | O_CLOEXEC);
    if (opened >= 0) return opened;
    const int error = errno;
    return tti_fail_errno(error == ENOENT || error == ESRCH ? TUTTI_ERR_PEER_FAILED : TUTTI_ERR_SYSTEM, error,
                          "opening %s of rank %d", path, tti_node_rank_of(node, peer));
}

void tti_node_permit_copies(void)
{
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (file == NULL) return;
    /* 1: only descendants may, unless this process says otherwise. */
    if (fgetc(file) == '1') prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    fclose(file);
}

static int peer_gone(const tti_node *node, int peer)
{
    return tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d on this node is gone", tti_node_rank_of(node, peer));
}

static int refused(tti_node *node, int peer, int error)
{
    node->copy = TTI_NODE_COPY_NO;
    return tti_fail_errno(TUTTI_ERR_UNSUPPORTED, error,
                          "the kernel refuses access to the memory of rank %d (Yama, seccomp or user "
                          "namespace); data goes through the shared segment",
                          tti_node_rank_of(node, peer));
}

static int copy_failed(tti_node *node, int peer, uint64_t remote, size_t bytes, int error)
{
    if (error == ESRCH) return peer_gone(node, peer);
    if (error == EPERM || error == ENOSYS || error == EACCES) return refused(node, peer, error);
    return tti_fail_errno(TUTTI_ERR_SYSTEM, error, "copying %zu bytes at 0x%llx of rank %d", bytes,
                          (unsigned long long)remote, tti_node_rank_of(node, peer));
}

static int copy(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes, bool write)
{
    const pid_t pid = atomic_load(&tti_node_card_of(node, peer)->pid);
    for (size_t done = 0; done < bytes;) {
        const size_t part = bytes - done < MOST_AT_ONCE ? bytes - done : MOST_AT_ONCE;
        const struct iovec here = {(char *)local + done, part};
        const struct iovec there = {(void *)(uintptr_t)(remote + done), part};
        const ssize_t n = write ? process_vm_writev(pid, &here, 1, &there, 1, 0)
                                : process_vm_readv(pid, &here, 1, &there, 1, 0);
        if (n <= 0) return copy_failed(node, peer, remote + done, part, n < 0 ? errno : EFAULT);
        done += (size_t)n;
    }
    return 0;
}

/* Whether the process behind the pidfd exists still, be it as a zombie: its id is not used again so far. */
static bool still_exists(const tti_node_contact *contact)
{
    return contact->pidfd < 0 || syscall(SYS_pidfd_send_signal, contact->pidfd, 0, NULL, 0) == 0 ||
           errno != ESRCH;
}

static bool still_there(tti_node_contact *contact)
{
    const int64_t now = tti_clock_ns();
    if (now - contact->seen_ns < SEEN_NS) return true;
    contact->seen_ns = now;
    return still_exists(contact);
}

static int prove(tti_node *node, int peer)
{
    tti_node_contact *contact = &node->contacts[peer];
    const tti_node_card *card = tti_node_card_of(node, peer);
    const pid_t pid = atomic_load(&card->pid);
    contact->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (contact->pidfd < 0 && errno == ESRCH) return peer_gone(node, peer);
    uint64_t proof = 0;
    const int code = copy(node, peer, card->proof_at, &proof, sizeof proof, false);
    if (code < 0) return code;
    if (proof != card->proof || !still_exists(contact)) return peer_gone(node, peer);
    contact->proven = true;
    return 0;
}

static int copy_checked(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes, bool write)
{
    if (node->copy == TTI_NODE_COPY_NO || tti_option_value(TTI_OPTION_SINGLE_COPY) == 0)
        return tti_fail(TUTTI_ERR_UNSUPPORTED,
                        "the memory of rank %d cannot be reached: single copies are off",
                        tti_node_rank_of(node, peer));
    tti_node_contact *contact = &node->contacts[peer];
    int code = contact->proven ? 0 : prove(node, peer);
    if (code == 0 && bytes > 0) code = copy(node, peer, remote, local, bytes, write);
    if (code == 0 && !still_there(contact)) code = peer_gone(node, peer);
    if (code == 0) node->copy = TTI_NODE_COPY_YES;
    return code;
}

int tti_node_read(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes)
{
    return copy_checked(node, peer, remote, local, bytes, false);
}

int tti_node_write(tti_node *node, int peer, uint64_t remote, const void *local, size_t bytes)
{
    return copy_checked(node, peer, remote, (void *)(uintptr_t)local, bytes, true);
}

bool tti_node_can_read(tti_node *node)
{
    if (tti_option_value(TTI_OPTION_SINGLE_COPY) == 0) return false;
    for (int peer = 0; peer < node->ranks && node->copy == TTI_NODE_COPY_UNKNOWN; peer++) {
        const bool other = peer != node->index && atomic_load(&tti_node_card_of(node, peer)->pid) != 0;
        /* A dead peer tells nothing; the next one may. */
        if (other && prove(node, peer) == 0) node->copy = TTI_NODE_COPY_YES;
    }
    if (node->copy == TTI_NODE_COPY_NO) tti_log(TTI_LOG_DEBUG, "no single copies on this node");
    return node->copy == TTI_NODE_COPY_YES;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Bulk data straight from one process's memory to another's: process_vm_readv and process_vm_writev.
 *
 * A process id may be used again after its process died. A copy therefore counts only if the process was
 * proven to be the peer afterwards: it holds the word that the peer's card says it holds. What is written
 * needs the proof before, too. A proof comes with the data of a read; and it is not asked for again for a
 * moment in which no process id can come round: the kernel hands them out in turn. No descriptor is needed
 * for that, of which a process has few.
 *
 * The kernel may refuse: all copies from and to a peer (its process became undumpable, a filter of system
 * calls), or some memory of it (of a device, memfd_secret). The caller then takes another way. */
#include "runtime/node/single_copy.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/copy.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/node/segment.h"

/* The kernel copies at most 2 GiB less a page in one call. */
#define MOST_AT_ONCE ((size_t)1 << 30)
/* And so many bytes at a time by way of room between: shorter pieces cost calls, of longer ones the cache
 * holds less. In pages of this size two places lie alike (runtime/base/copy.h). */
#define MOST_BETWEEN ((size_t)128 << 10)
#define ALIKE ((size_t)4096)
/* That moment, in ns: time for some tens of processes to start. */
#define SEEN_NS 1000000

void tti_node_permit_copies(void)
{
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (file == NULL) return;
    /* 1: only descendants may, unless this process says otherwise. */
    if (fgetc(file) == '1') prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    fclose(file);
}

/* The kernel's answer to a copy, told. */
static int copy_failed(tti_node *node, int peer, uint64_t remote, size_t bytes, int error)
{
    if (error == ESRCH) return tti_node_peer_gone(node, peer);
    if (error == EFAULT)
        return tti_fail_errno(TUTTI_ERR_UNSUPPORTED, error,
                              "the kernel does not copy %zu bytes at 0x%llx of rank %d; they go another way",
                              bytes, (unsigned long long)remote, tti_node_rank_of(node, peer));
    if (error != EPERM && error != ENOSYS && error != EACCES)
        return tti_fail_errno(TUTTI_ERR_SYSTEM, error, "copying %zu bytes at 0x%llx of rank %d", bytes,
                              (unsigned long long)remote, tti_node_rank_of(node, peer));
    if (node->contacts[peer].copy != TTI_NODE_COPY_NO)
        tti_log(TTI_LOG_DEBUG, "no single copies from and to rank %d", tti_node_rank_of(node, peer));
    node->contacts[peer].copy = TTI_NODE_COPY_NO;
    return tti_fail_errno(
        TUTTI_ERR_UNSUPPORTED, error,
        "the kernel refuses access to the memory of rank %d (its process may not be dumped, "
        "or Yama, seccomp or a user namespace); data goes through the shared segment",
        tti_node_rank_of(node, peer));
}

/* Between this process's memory and a peer's. */
typedef struct {
    uint64_t remote;
    char *local;
    size_t bytes;
    bool write;
} transfer;

/* Room that lies in its page as the peer's memory does, where the kernel, which copies by the same
 * instruction as memcpy(), would take several times as long to the place itself. NULL: straight. */
static char *room_between(tti_node *node, const transfer *t)
{
    const uint64_t local = (uintptr_t)t->local;
    if (!tti_copy_is_slow(t->write ? t->remote : local, t->write ? local : t->remote, t->bytes)) return NULL;
    if (node->between == NULL) node->between = aligned_alloc(ALIKE, MOST_BETWEEN + ALIKE);
    return node->between == NULL ? NULL : node->between + t->remote % ALIKE;
}

/* One call of the kernel. Behind the last byte comes the word at `proof_at`, if that is not 0. Returns the
 * number of bytes, or -1. */
static ssize_t copy_part(pid_t pid, const transfer *t, uint64_t proof_at, uint64_t *proof)
{
    const unsigned long count = proof_at != 0 ? 2 : 1;
    const struct iovec here[] = {{t->local, t->bytes}, {proof, sizeof *proof}};
    const struct iovec there[] = {{(void *)(uintptr_t)t->remote, t->bytes},
                                  {(void *)(uintptr_t)proof_at, sizeof *proof}};
    return t->write ? process_vm_writev(pid, here, count, there, count, 0)
                    : process_vm_readv(pid, here, count, there, count, 0);
}

/* The same by way of that room. */
static ssize_t copy_between(pid_t pid, const transfer *t, char *room, uint64_t proof_at, uint64_t *proof)
{
    const transfer to_room = {t->remote, room, t->bytes, t->write};
    if (t->write) tti_copy_long(room, t->local, t->bytes);
    const ssize_t n = copy_part(pid, &to_room, proof_at, proof);
    if (n > 0 && !t->write) tti_copy_long(t->local, room, (size_t)n < t->bytes ? (size_t)n : t->bytes);
    return n;
}

/* Copies all, and asks for the proof behind it if *proof is 0. */
static int copy(tti_node *node, int peer, const transfer *t, uint64_t *proof)
{
    const tti_node_card *card = tti_node_card_of(node, peer);
    const pid_t pid = atomic_load(&card->pid);
    char *room = room_between(node, t);
    const size_t most = room != NULL ? MOST_BETWEEN : MOST_AT_ONCE;
    for (size_t done = 0; done < t->bytes;) {
        const size_t left = t->bytes - done;
        const transfer part = {t->remote + done, t->local + done, left < most ? left : most, t->write};
        const uint64_t proof_at = *proof == 0 && part.bytes == left ? card->proof_at : 0;
        const ssize_t n = room != NULL ? copy_between(pid, &part, room, proof_at, proof)
                                       : copy_part(pid, &part, proof_at, proof);
        if (n <= 0) return copy_failed(node, peer, part.remote, left, n < 0 ? errno : EFAULT);
        done += (size_t)n;
    }
    return 0;
}

static bool is_fresh(const tti_node_contact *contact, int64_t now)
{
    return contact->copy == TTI_NODE_COPY_YES && now - contact->seen_ns < SEEN_NS;
}

/* Notes what the proof says of the peer, which it was asked for at `now`. */
static int judge(tti_node *node, int peer, uint64_t proof, int64_t now)
{
    tti_node_contact *contact = &node->contacts[peer];
    if (proof != tti_node_card_of(node, peer)->proof) return tti_node_peer_gone(node, peer);
    contact->copy = TTI_NODE_COPY_YES;
    contact->seen_ns = now;
    return 0;
}

/* Asks for the proof alone. */
static int prove(tti_node *node, int peer)
{
    const int64_t now = tti_clock_ns();
    uint64_t proof = 0, nothing = 1;
    const transfer word = {tti_node_card_of(node, peer)->proof_at, (char *)&proof, sizeof proof, false};
    const int code = copy(node, peer, &word, &nothing);
    /* Where the kernel does not even give that word it will not give anything. */
    if (code == TUTTI_ERR_UNSUPPORTED) node->contacts[peer].copy = TTI_NODE_COPY_NO;
    return code < 0 ? code : judge(node, peer, proof, now);
}

static int copy_allowed(const tti_node *node, int peer)
{
    if (node->contacts[peer].copy != TTI_NODE_COPY_NO && tti_option_value(TTI_OPTION_SINGLE_COPY) != 0)
        return 0;
    return tti_fail(TUTTI_ERR_UNSUPPORTED, "the memory of rank %d cannot be reached: single copies are off",
                    tti_node_rank_of(node, peer));
}

int tti_node_read(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes)
{
    const transfer t = {remote, local, bytes, false};
    int code = copy_allowed(node, peer);
    if (code < 0) return code;
    const tti_node_card *card = tti_node_card_of(node, peer);
    const int64_t now = tti_clock_ns();
    const bool fresh = is_fresh(&node->contacts[peer], now);
    uint64_t proof = fresh ? card->proof : 0;
    if (bytes == 0) return fresh ? 0 : prove(node, peer);
    code = copy(node, peer, &t, &proof);
    return code < 0 || fresh ? code : judge(node, peer, proof, now);
}

/* Unless the peer was seen a moment ago. */
static int prove_again(tti_node *node, int peer)
{
    return is_fresh(&node->contacts[peer], tti_clock_ns()) ? 0 : prove(node, peer);
}

int tti_node_write(tti_node *node, int peer, uint64_t remote, const void *local, size_t bytes)
{
    const transfer t = {remote, (char *)(uintptr_t)local, bytes, true};
    uint64_t nothing = 1;
    int code = copy_allowed(node, peer);
    if (code == 0) code = prove_again(node, peer);
    if (code == 0) code = copy(node, peer, &t, &nothing);
    return code == 0 ? prove_again(node, peer) : code;
}

bool tti_node_has_ended(tti_node *node, int peer)
{
    const int code = prove(node, peer);
    if (code != TUTTI_ERR_UNSUPPORTED) return code == TUTTI_ERR_PEER_FAILED;
    return kill(atomic_load(&tti_node_card_of(node, peer)->pid), 0) != 0 && errno == ESRCH;
}

bool tti_node_can_read(tti_node *node, int peer)
{
    if (tti_option_value(TTI_OPTION_SINGLE_COPY) == 0) return false;
    tti_node_contact *contact = &node->contacts[peer];
    const bool here = atomic_load(&tti_node_card_of(node, peer)->pid) != 0;
    if (contact->copy == TTI_NODE_COPY_UNKNOWN && here) prove(node, peer);
    return contact->copy == TTI_NODE_COPY_YES;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared memory among the ranks of one node: packets in order between each pair, single copies of bulk data,
 * and sleeping until something comes. A tti_node is one rank's view of its node's segment; it is used by one
 * thread at a time (p2p holds its lock where threads are many), except tti_node_wake(). Peers are named by
 * their index among the node's ranks (tti_job.local_ranks). Handles, not globals, so that tests run threads
 * as ranks. */
#ifndef TTI_NODE_H
#define TTI_NODE_H

#include <sched.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmi/pmi.h"
#include "runtime/base/atomics.h"
#include "runtime/base/crossings.h"

typedef struct tti_node tti_node;

/* Largest packet (head + body) that tti_node_send() takes, in bytes. */
#define TTI_NODE_PACKET_MAX (16384 + 64)

/* A packet arrived from `peer` (index on the node); the bytes, 8-byte aligned, are valid during the call. The
 * handler may call tti_node_send(), not tti_node_poll(). */
typedef void tti_node_packet_fn(void *context, int peer, const void *packet, size_t bytes);

/* Creates or joins the node's segment (found by the other local ranks through pmi; it leaves no name behind)
 * and attaches. TUTTI_ERR_NO_MEMORY with need and have where memory is short; TUTTI_ERR_UNSUPPORTED, at all
 * ranks of the node alike, where not all can reach it: the first one may not be dumped, or has a namespace of
 * process ids of its own. */
int tti_node_open(const tti_job *job, tti_node **node);
/* Tells the other local ranks that this one goes without the segment, TUTTI_TRANSPORT=fabric: all of a node
 * do or none, else TUTTI_ERR_OPTION, here as in tti_node_open(). */
int tti_node_decline(const tti_job *job);
/* The same over `ranks` threads of one process, for tests: view `index` of a segment made by index 0's call.
 */
int tti_node_open_threads(int ranks, int index, void **segment, tti_node **node);
void tti_node_close(tti_node *node);
/* From which sizes on which ways are the shorter ones, by the figures of this node: the same at all its
 * ranks, for choices that all must make alike. */
const tti_crossings *tti_node_crossings(const tti_node *node);
/* From which size on messages between this rank and the peer are fetched: crossings->fetch, but by how long a
 * line takes between the two now. */
size_t tti_node_fetch_least(tti_node *node, int peer);
/* True once the peer has closed its view: it reads and answers nothing any more. Peers that sleep are woken.
 */
bool tti_node_has_left(const tti_node *node, int peer);
/* False of one that has not opened the node yet; it may be about to, or have failed before. */
bool tti_node_has_come(const tti_node *node, int peer);
/* Whether the peer's process is known to have ended. */
bool tti_node_has_ended(tti_node *node, int peer);
/* True if the peer's process is known to be stopped, by SIGSTOP or a debugger. */
bool tti_node_is_stopped(const tti_node *node, int peer);
/* A thread that hears from the kernel when a peer's process ends, and calls `died` with its rank in the job,
 * unless the peer had left; with few descriptors, of some peers. NULL: there is none, and the launcher alone
 * tells. */
typedef struct tti_node_deaths tti_node_deaths;
typedef void tti_node_death_fn(int job_rank);
tti_node_deaths *tti_node_deaths_open(const tti_node *node, tti_node_death_fn *died);
/* Whether it hears of all peers. */
bool tti_node_deaths_are_all_heard(const tti_node_deaths *deaths);
/* Processes in reserve come now, too. Any thread, while it is open. */
void tti_node_deaths_expect(tti_node_deaths *deaths);
void tti_node_deaths_close(tti_node_deaths *deaths);
/* A turn of this rank's on a core that it shares ends; times are rough ns. How much the other ranks' last
 * turns took that ended since then, none counted for more than `most`. */
void tti_node_note_turn(const tti_node *node, int64_t ended, int64_t took);
int64_t tti_node_turns(const tti_node *node, int64_t since, int64_t most);
/* The processor that this rank has its turns on; TTI_NODE_NOWHERE: it sleeps; CPU_SETSIZE or more: it is not
 * to be counted. */
#define TTI_NODE_NOWHERE (-1)
void tti_node_note_place(const tti_node *node, int cpu);
/* This rank did not have its processor in that time, and the node's other ranks have not needed it so long:
 * if they cannot have computed there, a stranger has, and for some time nobody takes another place. */
void tti_node_note_loss(const tti_node *node, int64_t since, int64_t now);
/* A processor that this rank may use, and had better go to at once, as fewer ranks are there than where it
 * is: it counts as being there. TTI_NODE_NOWHERE: there is none, or now others go. */
int tti_node_take_place(const tti_node *node, int64_t now);
/* How many have left; who counts anew looks at each again. */
uint32_t tti_node_departures(const tti_node *node);

/* Copies a packet made of head and body (body may be NULL if body_bytes is 0) into the peer's mailbox.
 * Returns 0, or 1 if there is no room now (nothing was written; poll and try again), or an error. A sleeping
 * peer is woken; and so is this rank when the peer has made room and polls on. */
int tti_node_send(tti_node *node, int peer, const void *head, size_t head_bytes, const void *body,
                  size_t body_bytes);

/* Whether the peer has yet to take more than one packet that was sent to it. */
bool tti_node_is_behind(tti_node *node, int peer);

/* Hands every packet that is there (at most `limit` of them) to `handle`; returns how many. */
int tti_node_poll(tti_node *node, int limit, tti_node_packet_fn *handle, void *context);

/* True if bulk data can be read straight from the peer's memory (process_vm_readv; TUTTI_SINGLE_COPY=no
 * forbids it). Probed once the peer has attached; false until then. */
bool tti_node_can_read(tti_node *node, int peer);
/* Reads `bytes` at `remote` in the peer's address space into `local`. TUTTI_ERR_PEER_FAILED if the peer is
 * gone, TUTTI_ERR_UNSUPPORTED if the kernel refuses: for this peer (can_read is false from then on), or for
 * this memory of it alone; a part may have been read. */
int tti_node_read(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes);
/* The same where the peer may do a part. tti_node_share_begin() gives a number that the peer is told, with
 * the address of `local`, and passes to tti_node_share_help(), which writes from its `mine` what is still
 * left and returns; only then is the memory read. One copy at a time. */
uint32_t tti_node_share_begin(tti_node *node);
int tti_node_share_read(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes);
void tti_node_share_help(tti_node *node, int peer, uint32_t serial, uint64_t remote, const void *mine,
                         size_t bytes);
/* Whether the peer is not asleep. */
bool tti_node_is_awake(const tti_node *node, int peer);
/* The other way, into the peer's memory. */
int tti_node_write(tti_node *node, int peer, uint64_t remote, const void *local, size_t bytes);

/* Shareable memory behind tutti_mem_alloc(): a mapping that peers can map too. `*id` names it to peers. */
int tti_node_mem_alloc(tti_node *node, size_t bytes, void **base, uint64_t *id);
int tti_node_mem_free(tti_node *node, void *base);
/* Maps memory `id` of `peer` here. Mapping it again gives the same address; tti_node_mem_unmap() gives one
 * use back, and tti_node_close() all. A few unused mappings stay cached. */
int tti_node_mem_map(tti_node *node, int peer, uint64_t id, void **base);
void tti_node_mem_unmap(tti_node *node, void *base);

/* Shareable memory whose pages last as long as anybody maps them, whoever frees them and whoever dies. A peer
 * maps it while the rank that made it is there, and from what that says of it. Each holds a file open. */
typedef struct {
    uint64_t fd, device, inode, bytes;
} tti_node_lasting;
int tti_node_lasting_make(size_t bytes, void **base, tti_node_lasting *made);
int tti_node_lasting_map(const tti_node *node, int peer, const tti_node_lasting *made, void **base);
void tti_node_lasting_unmap(void *base, const tti_node_lasting *made);
void tti_node_lasting_free(void *base, const tti_node_lasting *made);

/* Windows: memory in which the collectives of a communicator pass data, a set of them for each communicator
 * that has any. Of a set each rank has some of each size, which it alone writes to. */
enum tti_node_window_kind {
    TTI_NODE_WINDOW_TINY, /* all of a rank's in few pages: where ranks take turns on a core, each is cold */
    TTI_NODE_WINDOW_SMALL,
    TTI_NODE_WINDOW_LARGE,
    TTI_NODE_WINDOW_PARTS, /* for parts whose sizes two ranks alone know */
    TTI_NODE_WINDOW_KINDS
};
/* How many of each; fewer in a test that is to see them used again. Few of the larger ones: operation after
 * operation takes the next, and who comes back to one finds it in a cache if the others are still there. */
#if !defined(TTI_NODE_SMALL_WINDOWS)
#define TTI_NODE_TINY_WINDOWS 32
#define TTI_NODE_SMALL_WINDOWS 4
#define TTI_NODE_LARGE_WINDOWS 2
#define TTI_NODE_PARTS_WINDOWS 8
#endif
static inline unsigned tti_node_windows_count(enum tti_node_window_kind kind)
{
    static const uint8_t counts[TTI_NODE_WINDOW_KINDS] = {TTI_NODE_TINY_WINDOWS, TTI_NODE_SMALL_WINDOWS,
                                                          TTI_NODE_LARGE_WINDOWS, TTI_NODE_PARTS_WINDOWS};
    return counts[kind];
}
typedef struct {
    alignas(16) _Atomic uint64_t posted; /* what its rank has told of the operation it is used for */
    uint64_t mark;                    /* which operation `posted` tells of; written before its first post */
    alignas(16) unsigned char data[]; /* tti_node_window_bytes(): of tiny ones and those for parts
                                         TTI_NODE_WINDOW_BESIDE of it is in the line of `posted`, of others it
                                         begins with the next line */
} tti_node_window;
#define TTI_NODE_WINDOW_BESIDE 48
#define TTI_NODE_WINDOW_CALL 4
/* Of one rank: how many operations it has finished, of each kind of window, all before which it has finished,
 * too; and at the first rank of a communicator whether anybody waits for such a count to grow. */
typedef struct {
    alignas(64) _Atomic uint64_t finished[TTI_NODE_WINDOW_KINDS];
    alignas(64) _Atomic uint32_t wanted;
    _Atomic uint32_t withdrawn; /* what the rank has shown is its program's again */
    alignas(
        64) _Atomic uint64_t call[TTI_NODE_WINDOW_CALL]; /* which call the rank makes, in words of its own */
} tti_node_window_counts;
/* The set that the ranks of the node as a whole have, from the beginning. */
#define TTI_NODE_WINDOWS_OF_ALL 0
/* Of one; 0: there are none. */
size_t tti_node_window_bytes(const tti_node *node, enum tti_node_window_kind kind);
/* Where those of a set are: the counts of peer p at first + p * of_peer, and its window w of a kind at[kind]
 * + w * stride[kind] bytes behind. */
typedef struct {
    char *first;
    size_t of_peer, at[TTI_NODE_WINDOW_KINDS], stride[TTI_NODE_WINDOW_KINDS];
} tti_node_windows_layout;
tti_node_windows_layout tti_node_windows_lie(const tti_node *node, int set);
/* The peer whose windows in a set belong to no rank, but to whoever comes last to an operation; and the word
 * right before such a window, behind all data of the one before, that counts who has come, 0 at first. */
int tti_node_windows_of_last(const tti_node *node);
static inline _Atomic uint64_t *tti_node_window_come(void *window)
{
    return (_Atomic uint64_t *)window - 1;
}
/* By which those that share a set know it: numbers that never come again together. */
typedef struct {
    uint64_t of, number; /* both above 0 */
} tti_node_windows_name;
/* A set for `count` peers, with counts of 0, or -1 if all are in use; each of the peers leaves it. One rank
 * takes it for all. The others find it once they know that this rank has; -1: it got none. */
int tti_node_windows_take(tti_node *node, const int *peers, int count, const tti_node_windows_name *name);
int tti_node_windows_find(const tti_node *node, const tti_node_windows_name *name);
void tti_node_windows_leave(tti_node *node, int set);
/* One that no other rank has found, or will use. */
void tti_node_windows_give_back(tti_node *node, int set);

/* How many ranks of the node come by themselves; the others are in reserve, behind them. */
int tti_node_expected(const tti_node *node);
/* True once all these have attached. */
bool tti_node_all_here(const tti_node *node);
/* A set of processors for each of *ranks: where it may run, empty if that is not known. Freed by the caller;
 * NULL if memory is out. */
cpu_set_t *tti_node_cpus(const tti_node *node, int *ranks);

/* To be called before the process has threads, if possible: with them it would take 10 to 20 ms, and is left
 * out. Messages take a little longer then. */
void tti_node_order_open(void);
/* From now on this rank puts all in order before it sleeps, so that who sends to it need not. Not for ranks
 * that share processors: they sleep often, and it takes 5 us where others run. */
void tti_node_order_begin(tti_node *node);

/* Sleeping, in three steps so that no wake-up is lost: arm, look once more for work, sleep (or disarm).
 *   tti_node_arm(node);  if (nothing to do) tti_node_sleep(node, timeout_ns);  tti_node_disarm(node);
 * tti_node_sleep() returns when a peer sent, tti_node_wake() was called, or after timeout_ns (< 0: no limit);
 * also without a cause. One thread at a time may be between arm and disarm (p2p has one watcher): if another
 * armed again between a thread's look and its sleep, it would take that thread's wake-up. tti_node_sleep()
 * alone may be called without the lock that guards the rest. */
void tti_node_arm(tti_node *node);
void tti_node_sleep(tti_node *node, int64_t timeout_ns);
void tti_node_disarm(tti_node *node);
/* For a rank that also waits on the fabric: a descriptor that becomes readable instead of the futex being
 * woken, from its first call on; poll() it between arm and disarm; disarm drains it. Negative TUTTI_ERR_* on
 * failure. */
int tti_node_wake_fd(tti_node *node);
/* Ends the sleep of a peer that waits for a change in memory: call it after a sequentially consistent one. */
void tti_node_poke(tti_node *node, int peer);
/* Ends the sleep of this rank; from any thread. */
void tti_node_wake(tti_node *node);

#endif

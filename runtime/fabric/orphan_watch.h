/* SPDX-License-Identifier: BSD-3-Clause */
/* Providers that keep locks in memory shared by processes: one whose holder was killed is never given back,
 * and whoever asks for it spins inside libfabric for ever. Nothing can be done in that thread, and breaking
 * the lock is no way out: what it guards may be half written. So once a death is known, a thread of the watch
 * looks whether this rank still comes out of its calls into libfabric, and ends the job when it does not. */
#ifndef TTI_FABRIC_ORPHAN_WATCH_H
#define TTI_FABRIC_ORPHAN_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
    _Atomic uint64_t steps; /* into libfabric and out of it: odd inside */
    _Atomic pid_t inside;   /* the thread that took the last step inwards */

    const char *provider;
    int rank;
    pthread_t thread;
    bool closing;
    uint64_t seen;    /* steps at the last look */
    int64_t spent_ns; /* processor time of `inside` when it was seen first */
} tti_fabric_watch;

/* Starts the thread, which sleeps until a death is told. `provider` (alive until the end) and `rank` are for
 * the line that ends the job. TUTTI_ERR_NO_MEMORY, TUTTI_ERR_SYSTEM. */
int tti_fabric_watch_open(const char *provider, int rank, tti_fabric_watch **watch);
void tti_fabric_watch_close(tti_fabric_watch *watch);

/* The launcher told of any rank's death; any thread, at any time, whether a fabric is open or not. Providers
 * whose locks die with their holder are watched from then on: where such a lock holds this rank for ever, the
 * job is aborted with a line that says so. */
void tti_fabric_death_told(void);

/* The kernel's number of the calling thread, asked for once. */
pid_t tti_fabric_thread_number(void);

/* Around each call into libfabric that may wait for such a lock, by one thread at a time; `watch` is NULL
 * where the provider has none. They do not nest. */
static inline void tti_fabric_enter(tti_fabric_watch *watch)
{
    if (__builtin_expect(watch == NULL, 1)) return;
    const uint64_t steps = atomic_load_explicit(&watch->steps, memory_order_relaxed);
    atomic_store_explicit(&watch->inside, tti_fabric_thread_number(), memory_order_relaxed);
    atomic_store_explicit(&watch->steps, steps + 1, memory_order_release);
}

static inline void tti_fabric_leave(tti_fabric_watch *watch)
{
    if (__builtin_expect(watch == NULL, 1)) return;
    const uint64_t steps = atomic_load_explicit(&watch->steps, memory_order_relaxed);
    atomic_store_explicit(&watch->steps, steps + 1, memory_order_release);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/orphan_lock.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/clock.h"
#include "runtime/fabric/reference.h"

/* Tries before the core is offered to others. */
#define SPIN_TRIES 1000
/* A lock is an orphan's if it stays taken that long, in ns, and through so many offers of the core: its
 * holder runs only some hundred instructions. Survivors that wait for each other's end add up, and have two
 * seconds. */
#define ORPHAN_NS (TTI_NS_PER_SECOND / 2)
#define ORPHAN_YIELDS 1000

static tti_fabric_function *
    *slot; /* libfabric's reference to pthread_spin_lock; NULL while it is as it was */
static const char *provider_name;
static int own_rank;

static void abort_job(int dead)
{
    char why[320];
    snprintf(
        why, sizeof why,
        "rank %d died with a lock of provider %s that rank %d waits for inside libfabric and cannot get; "
        "to survive deaths use the node transport (without TUTTI_TRANSPORT=fabric) or another provider",
        dead, provider_name, own_rank);
    tti_pmi_abort(1, why);
    _exit(1);
}

static int wait_for(pthread_spinlock_t *lock)
{
    int64_t began = 0;
    for (unsigned tries = 1; pthread_spin_trylock(lock) != 0; tries++) {
        if (tries < SPIN_TRIES) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
            continue;
        }
        sched_yield();
        const int64_t now = tti_clock_ns();
        if (began == 0) began = now;
        if (tries < SPIN_TRIES + ORPHAN_YIELDS || now - began < ORPHAN_NS) continue;
        const int dead = tti_pmi_dead_rank();
        if (dead >= 0) abort_job(dead);
    }
    return 0;
}

static int take(pthread_spinlock_t *lock)
{
    return __builtin_expect(pthread_spin_trylock(lock) == 0, 1) ? 0 : wait_for(lock);
}

void tti_fabric_orphan_locks_begin(void *handle, const char *provider, int rank)
{
    provider_name = provider;
    own_rank = rank;
    slot = tti_fabric_find_reference(handle, "pthread_spin_lock", (tti_fabric_function *)pthread_spin_lock);
    if (slot != NULL && !tti_fabric_point_reference(slot, (tti_fabric_function *)take)) slot = NULL;
}

void tti_fabric_orphan_locks_end(void)
{
    if (slot != NULL) tti_fabric_point_reference(slot, (tti_fabric_function *)pthread_spin_lock);
    slot = NULL;
}

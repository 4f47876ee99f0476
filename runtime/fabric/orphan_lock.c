/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/orphan_lock.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/clock.h"
#include "runtime/base/pause.h"
#include "runtime/fabric/reference.h"

/* Tries before the core is offered to others. */
#define SPIN_TRIES 1000
/* A lock is an orphan's if a rank has died and it is found taken at so many looks, and over so long a time,
 * in ns: its holder runs only some hundred instructions, and gets a core while those who wait sleep between
 * their looks, however many processes share the cores. Survivors that wait for each other's end add up, and
 * have two seconds. */
#define ORPHAN_LOOKS 100
#define LOOK_NS 1000000
#define ORPHAN_NS (TTI_NS_PER_SECOND / 4)

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

/* The caller knows that `dead` has died, and has found the lock taken. */
static void wait_beside_dead(pthread_spinlock_t *lock, int dead)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    const int64_t began = tti_clock_ns();
    for (int looks = 0; looks < ORPHAN_LOOKS || tti_clock_ns() - began < ORPHAN_NS; looks++) {
        nanosleep(&pause, NULL);
        if (pthread_spin_trylock(lock) == 0) return;
    }
    abort_job(dead);
}

static int wait_for(pthread_spinlock_t *lock)
{
    int tries = 0;
    while (pthread_spin_trylock(lock) != 0) {
        if (tries < SPIN_TRIES) {
            tries++;
            tti_pause();
            continue;
        }
        const int dead = tti_pmi_dead_rank();
        if (dead >= 0) {
            wait_beside_dead(lock, dead);
            break;
        }
        sched_yield();
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

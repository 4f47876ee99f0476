/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/progress/lock.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "tutti/types.h"

/* How often a polling thread yields so that the thread it gave the lock up for gets it. */
#define SHARE_YIELDS 50

bool tti_lock_needed, tti_thread_is_single;
_Atomic bool tti_is_open;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken;
static _Atomic int contenders; /* threads that wait for the lock */
static _Atomic unsigned takes;
/* Under the lock. */
static int asleep;     /* threads on the condition that nobody has woken */
static unsigned wakes; /* how often those that were there have been */

static void open_condition(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&woken, &attributes);
    pthread_condattr_destroy(&attributes);
}

void tti_lock_open(int thread_level)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_condition);
    tti_lock_needed = thread_level >= TUTTI_THREAD_MULTIPLE;
    tti_thread_is_single = thread_level == TUTTI_THREAD_SINGLE;
}

void tti_lock_take(void)
{
    if (pthread_mutex_trylock(&mutex) != 0) {
        atomic_fetch_add_explicit(&contenders, 1, memory_order_relaxed);
        pthread_mutex_lock(&mutex);
        atomic_fetch_sub_explicit(&contenders, 1, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&takes, 1, memory_order_relaxed);
}

void tti_lock_give(void)
{
    pthread_mutex_unlock(&mutex);
}

/* A mutex goes to whoever runs; a thread that polls would keep it from one that has yet to be woken. */
TTI_HOT void tti_lock_share(void)
{
    if (!tti_lock_needed || atomic_load_explicit(&contenders, memory_order_relaxed) == 0) return;
    const unsigned before = atomic_load_explicit(&takes, memory_order_relaxed);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < SHARE_YIELDS && atomic_load_explicit(&takes, memory_order_relaxed) == before; i++)
        sched_yield();
    tti_lock_take();
}

void tti_lock_sleep(int64_t ns)
{
    const int64_t until = tti_clock_ns() + ns;
    const struct timespec limit = {.tv_sec = until / TTI_NS_PER_SECOND, .tv_nsec = until % TTI_NS_PER_SECOND};
    const unsigned before = wakes;
    asleep++;
    pthread_cond_timedwait(&woken, &mutex, &limit);
    if (wakes == before)
        asleep--; /* it woke by itself */
    else
        atomic_fetch_sub_explicit(&contenders, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&takes, 1, memory_order_relaxed);
}

/* Who is woken waits for the lock inside pthread_cond_timedwait(), and cannot count itself there. */
void tti_lock_wake_all(void)
{
    if (asleep == 0) return;
    wakes++;
    atomic_fetch_add_explicit(&contenders, asleep, memory_order_relaxed);
    asleep = 0;
    pthread_cond_broadcast(&woken);
}

int tti_fail_closed(const char *call)
{
    return tti_fail(TUTTI_ERR_STATE, "%s outside of tutti_init() … tutti_finalize()", call);
}

void tti_set_open(bool open)
{
    atomic_store(&tti_is_open, open);
}

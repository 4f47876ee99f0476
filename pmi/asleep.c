/* SPDX-License-Identifier: BSD-3-Clause */
#include "pmi/asleep.h"

#include <pthread.h>

#include "runtime/base/clock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_cond_t changed;

/* The condition runs on the monotonic clock, so that setting the time of day ends no wait early or late. */
static void init_condition(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static struct timespec as_timespec(int64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / TTI_NS_PER_SECOND),
                             .tv_nsec = (long)(ns % TTI_NS_PER_SECOND)};
}

void tti_pmi_lock(void)
{
    pthread_once(&once, init_condition);
    pthread_mutex_lock(&lock);
}

void tti_pmi_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void tti_pmi_sleep(int64_t deadline)
{
    const struct timespec until = as_timespec(deadline);
    pthread_cond_timedwait(&changed, &lock, &until);
}

void tti_pmi_wake(void)
{
    tti_pmi_lock();
    pthread_cond_broadcast(&changed);
    tti_pmi_unlock();
}

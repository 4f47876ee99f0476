/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that waits, and meanwhile sees events that are for others often enough never to yield or sleep,
 * keeps the lock from no other thread, and does not escape the watchdog. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "runtime/base/clock.h"
#include "runtime/base/options.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/progress/watchdog.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"
#include "tutti/types.h"

/* Under the lock. */
static bool other_came, other_had_lock, reported;
static unsigned looks, every; /* one look in so many sees an event */
static int64_t give_up;

void __wrap_tti_watchdog_report(const tti_watched *w, int64_t now);
void __wrap_tti_watchdog_report(const tti_watched *w, int64_t now)
{
    (void)w;
    (void)now;
    reported = true;
}

static int see_event(void)
{
    EXPECT(tti_clock_ns() < give_up);
    return looks++ % every == 0;
}

static bool is_true(const void *argument)
{
    return *(const bool *)argument;
}

/* Waits among such events. Under the lock. */
static void wait_until(const bool *over, unsigned event_every)
{
    every = event_every;
    give_up = tti_clock_ns() + PATIENCE_NS;
    tti_wait_until(is_true, over, "the test", TUTTI_ANY_SOURCE);
}

static pthread_t start(void *other(void *))
{
    pthread_t thread;
    other_came = other_had_lock = false;
    EXPECT(pthread_create(&thread, NULL, other, NULL) == 0);
    return thread;
}

static void end(pthread_t thread)
{
    tti_unlock();
    EXPECT(pthread_join(thread, NULL) == 0);
}

static void *sleep_until_woken(void *nothing)
{
    tti_lock();
    other_came = true;
    tti_lock_sleep(PATIENCE_NS);
    other_had_lock = true;
    tti_unlock();
    return nothing;
}

static void lets_in_whom_it_woke(void)
{
    const pthread_t thread = start(sleep_until_woken);
    for (tti_lock(); !other_came; tti_lock()) {
        tti_unlock();
        sched_yield();
    }
    tti_lock_wake_all();
    wait_until(&other_had_lock, 100);
    end(thread);
}

static void *take_lock(void *nothing)
{
    tti_lock();
    other_had_lock = true;
    tti_unlock();
    return nothing;
}

static void lets_in_who_comes(void)
{
    tti_lock();
    const pthread_t thread = start(take_lock);
    wait_until(&other_had_lock, 1);
    end(thread);
}

static void is_reported(void)
{
    tti_lock();
    reported = false;
    wait_until(&reported, 1);
    tti_unlock();
}

int main(void)
{
    const tti_protocols none = {0};
    tti_progress_open(&none);
    tti_progress_look(TTI_LOOK_RUNS, see_event);
    tti_list_init(&tti_peers.blocked);
    setenv("TUTTI_WATCHDOG", "1ms", 1);
    EXPECT(tti_options_load(NULL) == 0);
    tti_lock_open(TUTTI_THREAD_MULTIPLE);
    EXPECT(tti_wait_open(1) == 0);
    tti_watchdog_open(NULL);
    lets_in_whom_it_woke();
    lets_in_who_comes();
    is_reported();
    tti_watchdog_close();
    tti_wait_close();
    tti_options_unload();
    return 0;
}

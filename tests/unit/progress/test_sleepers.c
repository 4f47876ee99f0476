/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread does not fall asleep beside the watcher when another has done what it waits for. */
#include <stdlib.h>

#include "runtime/base/options.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "tests/unit/expect.h"
#include "tutti/types.h"

static bool first_done, second_done, watcher_sleeps;
static bool done_while_shared; /* what the second waits for is done while it has given up the lock */
static int sleeps;             /* beside the watcher */

static bool is_done(const void *argument)
{
    return *(const bool *)argument;
}

/* In it any thread may have the lock, so this is when another one does its work. */
void __wrap_tti_lock_share(void);
void __wrap_tti_lock_share(void)
{
    if (watcher_sleeps) second_done = done_while_shared;
}

/* The first to sleep is the watcher, since nothing but threads can wake this rank; then comes the second. */
void __wrap_tti_lock_sleep(int64_t ns);
void __wrap_tti_lock_sleep(int64_t ns)
{
    EXPECT(ns > 0);
    if (watcher_sleeps) {
        sleeps++;
        second_done = true;
        return;
    }
    watcher_sleeps = true;
    tti_wait_until(is_done, &second_done, "the second", TUTTI_ANY_SOURCE);
    watcher_sleeps = false;
    first_done = true;
}

static int sleeps_beside_watcher(bool early)
{
    first_done = second_done = false;
    done_while_shared = early;
    sleeps = 0;
    tti_wait_until(is_done, &first_done, "the first", TUTTI_ANY_SOURCE);
    return sleeps;
}

int main(void)
{
    const tti_protocols none = {0};
    tti_progress_open(&none);
    tti_list_init(&tti_peers.blocked);
    setenv("TUTTI_WAIT", "sleep", 1);
    EXPECT(tti_options_load(NULL) == 0);
    tti_lock_open(TUTTI_THREAD_MULTIPLE);
    EXPECT(tti_wait_open(1) == 0);
    EXPECT(sleeps_beside_watcher(false) == 1);
    EXPECT(sleeps_beside_watcher(true) == 0);
    tti_wait_close();
    tti_options_unload();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a process whose launcher is gone: nobody else would end it, and it would hold its processor for
 * ever. */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "pmi/client.h"
#include "runtime/base/failure_grace.h"
#include "runtime/base/log.h"
#include "runtime/base/thread.h"

/* What the first process of a pid namespace, which takes no signals of its own, ends with in place of
 * SIGKILL. */
#define STATUS_KILLED (128 + SIGKILL)

static void *kill_after_grace(void *unused)
{
    (void)unused;
    const struct timespec grace = {.tv_sec = TTI_FAILURE_GRACE_NS / TTI_NS_PER_SECOND,
                                   .tv_nsec = TTI_FAILURE_GRACE_NS % TTI_NS_PER_SECOND};
    nanosleep(&grace, NULL);
    kill(getpid(), SIGKILL);
    _exit(STATUS_KILLED);
}

/* The clock runs before anything is said: a write to stderr may wait for a reader that does not read. Where
 * no thread can be had, PMIx's own, on which we are, sleeps: it has nobody to talk to. */
void tti_pmi_orphan_end(void)
{
    pthread_t thread;
    const bool started = tti_thread_start(&thread, kill_after_grace, NULL) == 0;
    if (started) pthread_detach(thread);
    tti_log(TTI_LOG_ERROR,
            "the launcher is gone: process %ld ends, by SIGTERM and a second later SIGKILL; with "
            "TUTTI_ORPHANS=live it would go on",
            (long)getpid());
    kill(getpid(), SIGTERM);
    if (!started) kill_after_grace(NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Waking this process's threads that sleep (sleep.c). It stands below sleeping and below who wakes: rounds,
 * one of which comes before each sleep, and the watchdog. Under the lock but where it is said. */
#ifndef TTI_PROGRESS_WAKE_H
#define TTI_PROGRESS_WAKE_H

#include <stdbool.h>

/* Who sleeps, as sleep.c shows it. */
typedef struct {
    int event_fd;        /* wakes the watcher where the fabric is open; else -1 */
    bool watcher_sleeps; /* the watcher has given up the lock to sleep */
    int others;          /* threads that sleep on the lock's condition */
} tti_sleepers;
extern tti_sleepers tti_asleep;

/* Something happened that another thread of this process may wait for. Cheap. */
void tti_sleep_notify(void);
/* Ends the sleep of a waiting thread, so that it looks again. Any thread, without the lock; or a signal's
 * handler. */
void tti_sleep_interrupt(void);

/* After the transports are open / before they close. */
int tti_sleep_open(void);
void tti_sleep_close(void);

#endif

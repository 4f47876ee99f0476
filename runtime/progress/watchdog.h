/* SPDX-License-Identifier: BSD-3-Clause */
/* What TUTTI_WATCHDOG says of a call that waits for long, or SIGUSR1 asks for: who waits where, for whom, and
 * where those are. Ranks that wait are listed here; the ranks that a wait is for are asked by active
 * messages, which their progress answers, and after a moment the report is written with what was answered.
 * Under the lock. */
#ifndef TTI_PROGRESS_WATCHDOG_H
#define TTI_PROGRESS_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/progress/watched.h"

/* Ranks that are asked where they are, at most: all of a collective, or those that are awaited. */
#define TTI_WATCHDOG_ASKED 64

/* TUTTI_WATCHDOG; 0: none of this happens. */
extern int64_t tti_watchdog_ns;
/* Sends an active message with a question or an answer; they are handed to tti_where_heard(). */
typedef int tti_where_fn(int job_rank, const void *payload, size_t bytes);
/* After the options are known / before the transports close. */
void tti_watchdog_open(tti_where_fn *send);
void tti_watchdog_close(void);
/* A waiter found nothing, or much that is not for it: asks and reports when it is time. */
void tti_watchdog_look(tti_watched *w);
/* The wait is over. */
void tti_watchdog_forget(tti_watched *w);
/* The longest sleep that lets the watchdog look in time, at most `ns`. */
int64_t tti_watchdog_nap(int64_t ns);

/* -- whereabouts.c -- */
void tti_whereabouts_open(tti_where_fn *send);
/* False: not such a message. */
bool tti_where_heard(int job_rank, const void *payload, size_t bytes);
/* Asks who may tell more. Without memory nobody is. */
void tti_whereabouts_ask(tti_watched *w);

/* -- watchdog_report.c -- */
void tti_watchdog_report(const tti_watched *w, int64_t now);

#endif

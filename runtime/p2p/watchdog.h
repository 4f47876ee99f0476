/* SPDX-License-Identifier: BSD-3-Clause */
/* What TUTTI_WATCHDOG says of a call that waits for long. */
#ifndef TTI_P2P_WATCHDOG_H
#define TTI_P2P_WATCHDOG_H

#include <stdint.h>

/* Ranks that a report names at most. */
#define TTI_WATCHDOG_RANKS 8

/* "watchdog: waits in WHAT for ranks 2, 5 of the job since 30 s". `count` may be more than
 * TTI_WATCHDOG_RANKS, of which `ranks` holds the first; 0: it is not known for whom. */
void tti_watchdog_report(const char *what, const int *ranks, int count, int64_t waited_ns);
/* The same for any rank. */
void tti_watchdog_report_any(const char *what, int64_t waited_ns);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/watchdog.h"

#include <stdio.h>

#include "runtime/base/clock.h"
#include "runtime/base/log.h"

static void report(const char *what, const char *whom, int64_t waited_ns)
{
    tti_log(TTI_LOG_ERROR, "watchdog: waits in %s%s since %lld s", what, whom,
            (long long)(waited_ns / TTI_NS_PER_SECOND));
}

void tti_watchdog_report_any(const char *what, int64_t waited_ns)
{
    report(what, " for any rank", waited_ns);
}

void tti_watchdog_report(const char *what, const int *ranks, int count, int64_t waited_ns)
{
    char whom[200] = "";
    const int named = count < TTI_WATCHDOG_RANKS ? count : TTI_WATCHDOG_RANKS;
    size_t used = 0;
    for (int i = 0; i < named; i++)
        used += (size_t)snprintf(whom + used, sizeof whom - used, "%s%d",
                                 i > 0       ? ", "
                                 : count > 1 ? " for ranks "
                                             : " for rank ",
                                 ranks[i]);
    if (count > named)
        used += (size_t)snprintf(whom + used, sizeof whom - used, " and %d more", count - named);
    if (count > 0) snprintf(whom + used, sizeof whom - used, " of the job");
    report(what, whom, waited_ns);
}

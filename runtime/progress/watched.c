/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/progress/watched.h"

#include <stdatomic.h>

#include "runtime/base/clock.h"

tti_watched *tti_watchdog_waits;
static _Atomic int listed;

void tti_watched_list(tti_watched *w)
{
    w->listed = true;
    w->began = tti_clock_ns();
    w->next = tti_watchdog_waits;
    tti_watchdog_waits = w;
    atomic_fetch_add(&listed, 1);
}

void tti_watched_unlist(tti_watched *w)
{
    tti_watched **link = &tti_watchdog_waits;
    while (*link != w)
        link = &(*link)->next;
    *link = w->next;
    w->listed = false;
    atomic_fetch_sub(&listed, 1);
}

bool tti_watched_any(void)
{
    return atomic_load(&listed) > 0;
}

void tti_watched_describe(const tti_watched *w, tti_awaited *awaited)
{
    *awaited = (tti_awaited){.count = 0};
    if (w->awaits != NULL)
        w->awaits(w->argument, awaited);
    else if (w->peer >= 0)
        tti_awaited_add(awaited, w->peer);
}

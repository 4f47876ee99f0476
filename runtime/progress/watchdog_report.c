/* SPDX-License-Identifier: BSD-3-Clause */
/* The line that the watchdog writes. */
#include <stdarg.h>
#include <stdio.h>

#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/node/processors.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/watchdog.h"

typedef struct {
    char text[1100];
    size_t used;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int more = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, args);
    va_end(args);
    if (more > 0) l->used += (size_t)more;
    if (l->used >= sizeof l->text) l->used = sizeof l->text - 1;
}

static long long seconds(int64_t ns)
{
    return (long long)(ns / TTI_NS_PER_SECOND);
}

static void add_awaited(line *l, const tti_watched *w, const tti_awaited *awaited)
{
    const int named = awaited->count < TTI_WATCHDOG_RANKS ? awaited->count : TTI_WATCHDOG_RANKS;
    for (int i = 0; i < named; i++)
        add(l, "%s%d", i > 0 ? ", " : awaited->count > 1 ? " for ranks " : " for rank ", awaited->ranks[i]);
    if (awaited->count > named) add(l, " and %d more", awaited->count - named);
    if (awaited->count > 0) add(l, " of the job");
    if (awaited->count == 0 && w->awaits == NULL && w->peer == TUTTI_ANY_SOURCE) add(l, " for any rank");
}

static int add_come(line *l, const tti_watched *w, const tti_awaited *awaited)
{
    int come = 1, named = 1;
    for (int i = 0; i < w->count; i++)
        come += w->answers[i].come;
    add(l, "; of its %d ranks %d %s come: %d", awaited->comm->size, come, come > 1 ? "have" : "has",
        tti_peers.job->rank);
    for (int i = 0; i < w->count; i++) {
        if (!w->answers[i].come) continue;
        if (named++ < TTI_WATCHDOG_RANKS) add(l, ", %d", w->answers[i].rank);
    }
    if (come > TTI_WATCHDOG_RANKS) add(l, " and %d more", come - TTI_WATCHDOG_RANKS);
    return come;
}

static void add_silent(line *l, int rank)
{
    if (tti_peer_failed(rank) != 0)
        add(l, "%s", tti_lost_text(rank));
    else if (tti_lost_has_departed(rank) || tti_lost_is_gone(rank))
        add(l, "has called tutti_finalize()");
    else if (tti_ways_node_index(rank) >= 0 && tti_node_is_stopped(tti_peers.node, tti_ways_node_index(rank)))
        add(l, "is stopped, by a signal or a debugger");
    else
        add(l, "does not answer: it is in no call of Tutti, or cannot be reached");
}

static void add_place(line *l, const tti_answered *a)
{
    add(l, "; rank %d ", a->rank);
    if (!a->answered) {
        add_silent(l, a->rank);
    } else if (!a->lists) {
        add(l, "makes progress; where it waits it cannot tell, as it has no TUTTI_WATCHDOG");
    } else if (a->call[0] == '\0') {
        add(l, "makes progress, but waits in no call");
    } else {
        add(l, "waits in %s", a->call);
        if (a->peer >= 0) add(l, " for rank %d", a->peer);
        add(l, " since %lld s", seconds(a->ns));
    }
}

/* Of a collective one rank speaks: the lowest of those that wait in it. */
static bool is_for_another(const tti_watched *w)
{
    for (int i = 0; i < w->count; i++)
        if (w->answers[i].inside && w->answers[i].rank < tti_peers.job->rank) return true;
    return false;
}

void tti_watchdog_report(const tti_watched *w, int64_t now)
{
    line l = {.used = 0};
    tti_awaited awaited;
    int places = 0;
    tti_watched_describe(w, &awaited);
    const bool whole = awaited.comm != NULL && w->count == awaited.comm->size - 1;
    if (!w->by_signal && awaited.comm != NULL && is_for_another(w)) return;
    add(&l, "watchdog: %swaits in %s", w->by_signal ? "asked by SIGUSR1: " : "", w->what);
    add_awaited(&l, w, &awaited);
    add(&l, " since %lld s", seconds(now - w->began));
    if (whole) add_come(&l, w, &awaited);
    for (int i = 0; i < w->count && places < TTI_WATCHDOG_RANKS; i++) {
        if (whole && w->answers[i].come && w->answers[i].inside) continue;
        add_place(&l, &w->answers[i]);
        places++;
    }
    tti_log(TTI_LOG_ERROR, "%s", l.text);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/progress/watchdog.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/options.h"
#include "runtime/progress/wake.h"

/* So long others have to answer where they are, in ns; a rank that makes progress does within microseconds.
 */
#define PATIENCE_NS (TTI_NS_PER_SECOND / 2)

int64_t tti_watchdog_ns;

static struct {
    bool hears;               /* SIGUSR1 is ours */
    _Atomic unsigned signals; /* of them so far */
} dog;

/* A rank that does not wait in Tutti says so at once: what it does instead its debugger knows. */
static void on_signal(int number)
{
    static const char idle[] = "tutti watchdog: asked by SIGUSR1: this process waits in no call of Tutti\n";
    const int before = errno;
    ssize_t written = 0;
    (void)number;
    atomic_fetch_add(&dog.signals, 1);
    if (tti_watched_any())
        tti_sleep_interrupt();
    else
        written = write(STDERR_FILENO, idle, sizeof idle - 1);
    (void)written;
    errno = before; /* the interrupted program's */
}

/* A program with a handler of its own, or that ignores the signal, keeps it so. */
static void take_signal(void)
{
    struct sigaction now, ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (sigaction(SIGUSR1, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
        return;
    dog.hears = sigaction(SIGUSR1, &ours, NULL) == 0;
}

static void give_signal_back(void)
{
    struct sigaction now;
    if (dog.hears && sigaction(SIGUSR1, NULL, &now) == 0 && now.sa_handler == on_signal)
        signal(SIGUSR1, SIG_DFL);
    dog.hears = false;
}

void tti_watchdog_open(tti_where_fn *send)
{
    tti_watchdog_ns = tti_option_value(TTI_OPTION_WATCHDOG);
    tti_whereabouts_open(send);
    if (tti_watchdog_ns > 0) take_signal();
}

void tti_watchdog_close(void)
{
    give_signal_back();
}

int64_t tti_watchdog_nap(int64_t ns)
{
    const int64_t most = tti_watchdog_ns < PATIENCE_NS ? tti_watchdog_ns : PATIENCE_NS;
    return tti_watchdog_ns > 0 && most < ns ? most : ns;
}

static void list(tti_watched *w)
{
    w->signals = atomic_load(&dog.signals);
    tti_watched_list(w);
}

void tti_watchdog_forget(tti_watched *w)
{
    tti_watched_unlist(w);
    free(w->answers);
    w->answers = NULL;
}

/* Each signal asks anew, also after a report. */
static bool heeds_signal(tti_watched *w)
{
    const unsigned signals = atomic_load(&dog.signals);
    if (signals == w->signals) return false;
    w->signals = signals;
    return true;
}

void tti_watchdog_look(tti_watched *w)
{
    if (!w->listed) list(w);
    const int64_t now = tti_clock_ns();
    if (w->asked_ns == 0) {
        const bool by_signal = heeds_signal(w);
        if (!by_signal && (w->reported || now - w->began < tti_watchdog_ns)) return;
        w->by_signal = by_signal;
        w->asked_ns = now;
        tti_whereabouts_ask(w);
    }
    if (w->missing > 0 && now - w->asked_ns < PATIENCE_NS) return;
    tti_watchdog_report(w, now);
    w->reported = true;
    w->asked_ns = 0;
    w->missing = w->count = 0;
    free(w->answers);
    w->answers = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/signal_keeper.h"

static const int kept[TTI_FABRIC_KEPT_SIGNALS] = {SIGHUP, SIGINT, SIGILL,  SIGABRT,
                                                  SIGFPE, SIGBUS, SIGSEGV, SIGTERM};

/* What a thread does to itself: blocked, the kernel would end the process at once. */
static const int own_faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};

void tti_fabric_save_handlers(tti_fabric_handlers *handlers)
{
    sigset_t others;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own_faults / sizeof own_faults[0]; i++)
        sigdelset(&others, own_faults[i]);
    pthread_sigmask(SIG_BLOCK, &others, &handlers->mask);
    for (int i = 0; i < TTI_FABRIC_KEPT_SIGNALS; i++)
        sigaction(kept[i], NULL, &handlers->actions[i]);
}

void tti_fabric_restore_handlers(const tti_fabric_handlers *handlers)
{
    for (int i = 0; i < TTI_FABRIC_KEPT_SIGNALS; i++)
        sigaction(kept[i], &handlers->actions[i], NULL);
    pthread_sigmask(SIG_SETMASK, &handlers->mask, NULL);
}

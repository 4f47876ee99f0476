/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/signal_keeper.h"

static const int kept[TTI_FABRIC_KEPT_SIGNALS] = {SIGHUP, SIGINT, SIGILL,  SIGABRT,
                                                  SIGFPE, SIGBUS, SIGSEGV, SIGTERM};

void tti_fabric_save_handlers(tti_fabric_handlers *handlers)
{
    for (int i = 0; i < TTI_FABRIC_KEPT_SIGNALS; i++)
        sigaction(kept[i], NULL, &handlers->actions[i]);
}

void tti_fabric_restore_handlers(const tti_fabric_handlers *handlers)
{
    for (int i = 0; i < TTI_FABRIC_KEPT_SIGNALS; i++)
        sigaction(kept[i], &handlers->actions[i], NULL);
}

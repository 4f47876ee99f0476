/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's signal handlers, kept from what libfabric brings along: libinfinipath (behind psm) writes a
 * *.btr file into the working directory at a crash, shm takes over SIGTERM, SIGINT, SIGSEGV and SIGBUS.
 *
 * Until they are put back signals wait: at a SIGTERM while libfabric holds a lock of its own, libinfinipath's
 * handler calls exit(), whose destructors want the same lock and never get it. */
#ifndef TTI_FABRIC_SIGNAL_KEEPER_H
#define TTI_FABRIC_SIGNAL_KEEPER_H

#include <signal.h>

#define TTI_FABRIC_KEPT_SIGNALS 8

typedef struct {
    struct sigaction actions[TTI_FABRIC_KEPT_SIGNALS];
    sigset_t mask;
} tti_fabric_handlers;

/* From here on this thread, and those that are made meanwhile, take no signals but their own faults. */
void tti_fabric_save_handlers(tti_fabric_handlers *handlers);
/* In the same thread. What has come meanwhile is delivered, to the program's handlers. */
void tti_fabric_restore_handlers(const tti_fabric_handlers *handlers);

#endif

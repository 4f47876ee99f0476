/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's signal handlers, kept from what libfabric brings along: libinfinipath (behind psm) writes a
 * *.btr file into the working directory at a crash, shm takes over SIGTERM, SIGINT, SIGSEGV and SIGBUS. */
#ifndef TTI_FABRIC_SIGNAL_KEEPER_H
#define TTI_FABRIC_SIGNAL_KEEPER_H

#include <signal.h>

#define TTI_FABRIC_KEPT_SIGNALS 8

typedef struct {
    struct sigaction actions[TTI_FABRIC_KEPT_SIGNALS];
} tti_fabric_handlers;

void tti_fabric_save_handlers(tti_fabric_handlers *handlers);
void tti_fabric_restore_handlers(const tti_fabric_handlers *handlers);

#endif

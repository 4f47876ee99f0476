/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows once something was combined at a target. */
#ifndef TTI_RMA_ATOMIC_OPS_H
#define TTI_RMA_ATOMIC_OPS_H

#include "runtime/rma/window_state.h"

/* Wakes the target, which may sleep in tutti_signal_wait() on what was combined here. */
void tti_rma_tell(tutti_window *window, int target);

#endif

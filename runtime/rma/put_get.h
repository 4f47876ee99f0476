/* SPDX-License-Identifier: BSD-3-Clause */
/* The put that a put with a signal begins with. */
#ifndef TTI_RMA_PUT_GET_H
#define TTI_RMA_PUT_GET_H

#include "runtime/rma/window_state.h"

/* Puts so that whatever message follows finds the data there; `local` may be reused. */
int tti_rma_put_ordered(tutti_window *window, const void *local, size_t bytes, int target, size_t offset);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* How a window's parts are reached, and what may be asked of them. */
#ifndef TTI_RMA_WINDOW_REACH_H
#define TTI_RMA_WINDOW_REACH_H

#include "runtime/rma/window_state.h"

/* Finds out (once) how `target` is reached. */
enum tti_rma_way tti_rma_way_to(tutti_window *window, int target);
/* Where the target's part is here, for `call`; the way to it need not be DIRECT. What could not be mapped is
 * tried again the next time. TUTTI_ERR_UNSUPPORTED: it cannot be. */
int tti_rma_direct(const char *call, tutti_window *window, int target, void **pointer);
/* 0 if `bytes` at `offset` lie in the target's part, else an error for `call`. TUTTI_PROC_NULL passes. */
int tti_rma_check(const char *call, const tutti_window *window, int target, size_t offset, size_t bytes,
                  const void *local);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a rank's part where others may still use it (window_end.c). */
#ifndef TTI_RMA_WINDOW_END_H
#define TTI_RMA_WINDOW_END_H

#include "runtime/rma/window_state.h"

/* Waits until no living rank has anything under way on this rank's part, nor ever will. One that could not
 * make its own part, `failed` (-1: none), never knew of this one. */
void tti_rma_end_part(tutti_window *window, int failed, const char *call);
/* Nothing of this rank's from before the end is pending any more on a part that ends: tells the owner. */
void tti_rma_part_over(tutti_window *window, int target);
/* The window is made: parts may have ended meanwhile. */
void tti_rma_made(tutti_window *window);
void tti_rma_ends_open(void);
void tti_rma_ends_close(void);

#endif

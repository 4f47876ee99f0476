/* SPDX-License-Identifier: BSD-3-Clause */
/* The windows that there are, and how they are found: by number, or by the memory under them. */
#ifndef TTI_RMA_WINDOW_TABLE_H
#define TTI_RMA_WINDOW_TABLE_H

#include "runtime/rma/window_state.h"

/* All windows here, in the order in which they were made. */
extern tti_link tti_rma_windows;
/* Gives a new one its number, and puts it among all, until its link is taken out of the list. */
void tti_rma_window_enter(tutti_window *window);
/* Whether this rank has given out that number, be its window freed or not. */
bool tti_rma_window_was(uint32_t number);
/* The window of that number here, or NULL. */
tutti_window *tti_rma_window(uint32_t number);
/* The window here that has that number at another rank, which is `*rank` of its communicator; or NULL. */
tutti_window *tti_rma_window_of(int job_rank, uint32_t number, int *rank);
/* Whether any of that memory is a window's. */
bool tti_rma_memory_in_use(const char *base, size_t bytes);

#endif

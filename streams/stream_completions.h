/* SPDX-License-Identifier: BSD-3-Clause */
/* The completion queue: frames that libfabric is through with, and buffers in which something has arrived. */
#ifndef TTI_STREAMS_STREAM_COMPLETIONS_H
#define TTI_STREAMS_STREAM_COMPLETIONS_H

#include "streams/stream_state.h"

/* Reads some; what arrived is to be handed out. How many there were; 0 if the queue is empty; or an error. */
int tti_stream_read_completions(tutti_stream_context *context);
/* Reads and hands out until the queue is empty and all is handed out, or the budget is spent. Whether there
 * was anything, or an error. */
int tti_stream_drain_completions(tutti_stream_context *context, int budget);
/* The running tutti_stream_process() has done enough: the loop of the program is to have its turn. */
bool tti_stream_is_spent(const tutti_stream_context *context, int budget);

#endif

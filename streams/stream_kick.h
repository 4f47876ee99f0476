/* SPDX-License-Identifier: BSD-3-Clause */
/* Making the loop of the program come back: the user's descriptor is readable while the eventfd behind it is
 * set. */
#ifndef TTI_STREAMS_STREAM_KICK_H
#define TTI_STREAMS_STREAM_KICK_H

#include <sys/eventfd.h>

#include "streams/stream_state.h"

/* Makes the user's descriptor readable, until the next tutti_stream_process(). */
static inline void tti_stream_raise(tutti_stream_context *context)
{
    if (!context->raised) eventfd_write(context->kick, 1);
    context->raised = true;
}

/* Something is left to be done: raises the descriptor, and makes the next tutti_stream_poll() a whole round.
 */
void tti_stream_kick(tutti_stream_context *context);
/* A whole round begins. */
void tti_stream_unkick(tutti_stream_context *context);

#endif

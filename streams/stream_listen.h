/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_STREAMS_STREAM_LISTEN_H
#define TTI_STREAMS_STREAM_LISTEN_H

#include "streams/stream_event.h"

/* Lets in who knocks, or turns it away. Calls on_refused. */
void tti_stream_knock(tutti_stream_context *context, const tti_stream_event *event);

#endif

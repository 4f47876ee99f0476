/* SPDX-License-Identifier: BSD-3-Clause */
/* Who connects to a peer a second time, with the same callbacks, gets the stream that is there. It counts who
 * has connected and has not closed; the last one closes it. */
#ifndef TTI_STREAMS_STREAM_REUSE_H
#define TTI_STREAMS_STREAM_REUSE_H

#include "streams/stream_state.h"

/* The stream that serves for a connection to this address, or NULL. */
tutti_stream *tti_stream_find_shared(tutti_stream_context *context, const struct fi_info *info,
                                     const tutti_stream_callbacks *callbacks);
/* One more has connected by it; on_open follows for it, too. */
void tti_stream_share(tutti_stream *stream);
/* Calls the on_open that are due. True if there were any. */
bool tti_stream_tell_shared(tutti_stream_context *context);

#endif

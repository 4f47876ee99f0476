/* SPDX-License-Identifier: BSD-3-Clause */
/* Whom a provider has let in by itself, and does not tell of: looked for among the descriptors of the
 * process. Of a provider that has no sockets none is found. */
#ifndef TTI_STREAMS_STREAM_GUESTS_H
#define TTI_STREAMS_STREAM_GUESTS_H

#include "streams/stream_state.h"

/* One after the other, the descriptors that the process has; -1 behind the last, or where they cannot be
 * known. */
int tti_stream_first_descriptor(tutti_stream_context *context);
int tti_stream_next_descriptor(const tutti_stream_context *context);

/* The one that would be given next; -1 where none is left. While it stays the same nobody was let in. */
int tti_stream_next_free(const tutti_stream_context *context);

/* At which listener the connection behind a descriptor arrived, and from where; NULL if it is none. */
const tutti_stream_listener *tti_stream_identify(tutti_stream_context *context, int descriptor,
                                                 char peer[TTI_STREAM_TEXT]);
/* Whether the listener listens there. */
bool tti_stream_is_socket_of(tutti_stream_listener *listener, int descriptor);
/* The stream whose connection it is, also one that has ended; or NULL. */
tutti_stream *tti_stream_behind(tutti_stream_context *context, int descriptor);
/* Sets stream->peer, by which tti_stream_behind() finds it. */
void tti_stream_name_peer(tutti_stream *stream, const struct fi_info *info);
/* Of a stream that has just connected from here, since those that arrive inherit it: it breaks when the
 * peer's host is gone for some while. Its socket should be stream->descriptor, or is looked for. */
void tti_stream_keep_alive(const tutti_stream *stream);

/* A listener is to be closed: nobody more is let in there. */
void tti_stream_shut_listener(tutti_stream_listener *listener);
/* Then: ends the connections of all whom it has let in and who are no stream. How many there are still. */
int tti_stream_shut_guests(tutti_stream_listener *listener);

#endif

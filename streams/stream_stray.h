/* SPDX-License-Identifier: BSD-3-Clause */
/* Who floods a shared receive context with what is no frame. libfabric does not tell from which connection it
 * came, and such bytes do not either; but the kernel counts what each connection has brought, and this
 * library what of that was frames of its stream: whose connection has brought far more than can be on the
 * way, ends. Of a provider that has no sockets nobody is found. */
#ifndef TTI_STREAMS_STREAM_STRAY_H
#define TTI_STREAMS_STREAM_STRAY_H

#include "streams/stream_state.h"

/* An operation of so many bytes has come, and is of this stream. */
static inline void tti_stream_heard(tutti_stream *stream, size_t bytes)
{
    stream->heard += bytes;
    stream->operations++;
}

/* An operation has come, and is nobody's. May end a stream. */
void tti_stream_stray(tutti_stream_context *context, size_t bytes);

#endif

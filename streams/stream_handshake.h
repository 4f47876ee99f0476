/* SPDX-License-Identifier: BSD-3-Clause */
/* What happens between a connection and an open stream; the same for both ends, as far as it is the same. */
#ifndef TTI_STREAMS_STREAM_HANDSHAKE_H
#define TTI_STREAMS_STREAM_HANDSHAKE_H

#include "streams/stream_state.h"

/* This side's hello, TTI_HELLO_BYTES; the stream keeps it. */
const uint8_t *tti_stream_greet(tutti_stream *stream);
/* TUTTI_ERR_DENIED if one side has a secret and the other has none. */
int tti_stream_check_guard(const tutti_stream_context *context, const tti_hello *hello, const char *who);
/* Takes over what the other side's hello says. */
void tti_stream_meet(tutti_stream *stream, const tti_hello *hello);
/* The connection has come about: opens the stream, or begins to prove. */
void tti_stream_connected(tutti_stream *stream);
/* Calls on_open. */
void tti_stream_tell_open(tutti_stream *stream);
/* True if the frame belongs to the handshake, or comes before its end: it is dealt with. */
bool tti_stream_take_proof(tutti_stream *stream, const tti_frame *frame, const uint8_t *body);
/* libfabric has passed on a frame of the handshake, or of credits. */
void tti_stream_said(tutti_stream *stream, uint8_t kind);
/* Streams that arrive and are not open yet. */
int tti_stream_half_open(const tutti_stream_context *context);

#endif

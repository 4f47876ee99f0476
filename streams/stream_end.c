/* SPDX-License-Identifier: BSD-3-Clause */
/* Ending: whoever finds that a stream cannot go on marks it here, and may go on using the pointer; what
 * follows is the reaper's (stream_reap.c), when no callback is running. */
#include <stdarg.h>
#include <stdio.h>

#include "streams/stream_kick.h"
#include "streams/stream_threads.h"

void tti_stream_end(tutti_stream *stream, int code, const char *format, ...)
{
    if (stream->phase == TTI_STREAM_ENDED) return;
    va_list args;
    va_start(args, format);
    vsnprintf(stream->why, sizeof stream->why, format, args);
    va_end(args);
    stream->phase = TTI_STREAM_ENDED;
    stream->code = code;
    /* What the peer sent before it went is still handed out; not so where this side wants no more, nor what
     * somebody says to whom the stream never opened: nobody has seen that one knows the secret. */
    if (!stream->opened || code == TUTTI_ERR_CANCELLED || code == TUTTI_ERR_FABRIC) stream->deaf = true;
    tti_list_remove(&stream->timed);
    tti_list_remove(&stream->waiting);
    tti_list_remove(&stream->bundled);
    tti_list_remove(&stream->link);
    tti_list_append(&stream->context->ended, &stream->link);
    tti_stream_kick(stream->context);
}

void tti_stream_out_of_step(tutti_stream *stream, const char *what)
{
    tti_stream_end(stream, TUTTI_ERR_FABRIC, "%s is out of step: %s", stream->peer, what);
}

void tti_stream_nobody_listens(tutti_stream *stream)
{
    tti_stream_end(
        stream, TUTTI_ERR_REFUSED,
        "%s: nobody listens there: start what listens, or start it again, and see that the address "
        "is the one it tells",
        stream->peer);
}

void tti_stream_tell_refused(const tutti_stream_context *context, const tutti_stream_callbacks *callbacks,
                             int code, const char *why)
{
    const tutti_stream_callbacks theirs = *callbacks; /* another thread may end the listener */
    char words[TTI_STREAM_WHY]; /* `why` may be the detail of the last error, and change */
    if (theirs.on_refused == NULL) return;
    snprintf(words, sizeof words, "%s", why);
    tti_stream_step_out(context);
    theirs.on_refused(code, words, theirs.user);
    tti_stream_step_in(context);
}

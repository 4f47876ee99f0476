/* SPDX-License-Identifier: BSD-3-Clause */
/* The event queue: connections that come, come about, and go. */
#include <rdma/fi_errno.h>
#include <string.h>

#include "runtime/base/status.h"
#include "streams/stream_event.h"
#include "streams/stream_guests.h"
#include "streams/stream_handshake.h"
#include "streams/stream_kick.h"
#include "streams/stream_listen.h"

#define EVENTS_MOST 64 /* at a time: others have their turn, too */

/* By search, since the queue may still tell of an endpoint that is closed; connections are few and rare. */
static tutti_stream *find_stream(const tutti_stream_context *context, const struct fid *endpoint)
{
    for (tti_link *at = context->streams.next; at != &context->streams; at = at->next) {
        tutti_stream *one = TTI_OWNER(at, tutti_stream, link);
        if (one->endpoint != NULL && &one->endpoint->fid == endpoint) return one;
    }
    return NULL;
}

static void connected(tutti_stream *stream, const void *data, size_t bytes)
{
    if (stream->phase == TTI_STREAM_CONNECTING) {
        tti_hello hello;
        int code = tti_hello_read(&hello, data, bytes, stream->peer);
        if (code == 0 && hello.refusal == TTI_REFUSAL_NONE)
            code = tti_stream_check_guard(stream->context, &hello, stream->peer);
        if (code < 0 || hello.refusal != TTI_REFUSAL_NONE) {
            tti_stream_end(stream, code < 0 ? code : TUTTI_ERR_FABRIC, "%s",
                           code < 0 ? tutti_error_detail() : "it lets in and refuses at once");
            return;
        }
        tti_stream_meet(stream, &hello);
        tti_stream_keep_alive(stream);
    }
    tti_stream_connected(stream);
}

static void gone(tutti_stream *stream)
{
    if (stream->bye_arrived && stream->bye_left)
        tti_stream_end(stream, 0, "closed");
    else if (stream->broken != 0)
        tti_stream_end(stream, TUTTI_ERR_PEER_FAILED, "the connection to %s broke: %s", stream->peer,
                       stream->context->library->strerror(stream->broken));
    else
        tti_stream_end(stream, TUTTI_ERR_PEER_FAILED,
                       "%s went without closing the stream: it has died, or "
                       "the connection has",
                       stream->peer);
}

/* What it sent before is heard before: it may be in the completion queue, or not be handed out yet. Also
 * where that queue was read to its end just now: looking at the event queue, providers get on with all that
 * is under way, and may have received the last words within the look that tells of the connection's end. */
static void lose(tutti_stream *stream, int error)
{
    tutti_stream_context *context = stream->context;
    if (stream->gone) return;
    stream->gone = context->gone_due = true;
    stream->broken = error;
    stream->mark = tti_stream_mark(context);
    tti_stream_kick(context);
}

void tti_stream_end_gone(tutti_stream_context *context)
{
    if (!context->gone_due) return;
    context->gone_due = false;
    for (tti_link *at = context->streams.next, *next; at != &context->streams; at = next) {
        tutti_stream *one = TTI_OWNER(at, tutti_stream, link);
        next = at->next; /* ending takes this one off the list */
        if (!one->gone) continue;
        if (tti_stream_is_past(context, one->mark))
            gone(one);
        else
            context->gone_due = true;
    }
}

static void end_refused(tutti_stream *stream, int refusal)
{
    const char *peer = stream->peer;
    if (refusal == TTI_REFUSAL_VERSION)
        tti_stream_end(stream, TUTTI_ERR_VERSION, "%s speaks another version of streams", peer);
    else if (refusal == TTI_REFUSAL_FULL)
        tti_stream_end(stream, TUTTI_ERR_LIMIT, "%s has no room for another stream", peer);
    else if (refusal == TTI_REFUSAL_SECRET && stream->context->secret == NULL)
        tti_stream_end(stream, TUTTI_ERR_DENIED,
                       "%s asks for a shared secret, and this side was given none (secret_file)", peer);
    else if (refusal == TTI_REFUSAL_SECRET)
        tti_stream_end(stream, TUTTI_ERR_DENIED,
                       "%s has no shared secret, and this side was given one (secret_file)", peer);
    else
        tti_stream_end(stream, TUTTI_ERR_REFUSED, "%s takes this side for no stream", peer);
}

/* What a listener says on turning away tells why; where nobody listens nobody says anything. */
static void refused(tutti_stream *stream, const tti_stream_event *event)
{
    tti_hello hello;
    if (event->bytes == 0) {
        tti_stream_nobody_listens(stream);
        return;
    }
    const int code = tti_hello_read(&hello, event->data, event->bytes, stream->peer);
    if (code < 0)
        tti_stream_end(stream, code, "%s", tutti_error_detail());
    else
        end_refused(stream, hello.refusal);
}

static void failed(tutti_stream *stream, const tti_stream_event *event)
{
    const char *text = stream->context->library->strerror(event->error);
    if (event->error == FI_ECONNREFUSED)
        refused(stream, event);
    else if (event->error == FI_ETIMEDOUT)
        tti_stream_end(stream, TUTTI_ERR_TIMEOUT, "%s does not answer: %s", stream->peer, text);
    else if (stream->phase == TTI_STREAM_CONNECTING)
        tti_stream_end(
            stream, TUTTI_ERR_PEER_FAILED,
            "%s does not let this side in: %s; it has died or stopped listening just now, or is no "
            "stream: connect again when it listens",
            stream->peer, text);
    else
        lose(stream, event->error);
}

static void handle(tutti_stream_context *context, const tti_stream_event *event)
{
    if (event->error == 0 && event->kind == FI_CONNREQ) {
        tti_stream_knock(context, event);
        return;
    }
    tutti_stream *stream = find_stream(context, event->fid);
    if (stream == NULL) return;
    if (event->error != 0)
        failed(stream, event);
    else if (event->kind == FI_CONNECTED)
        connected(stream, event->data, event->bytes);
    else if (event->kind == FI_SHUTDOWN)
        lose(stream, 0);
}

int tti_stream_drain_events(tutti_stream_context *context)
{
    tti_stream_event event;
    for (int count = 0; count < EVENTS_MOST; count++) {
        const int code = tti_stream_next_event(context, &event);
        if (code <= 0) return code < 0 ? code : count;
        if (tti_stream_event_waits(context, &event))
            tti_stream_keep_event(context, &event);
        else
            handle(context, &event);
    }
    return EVENTS_MOST;
}

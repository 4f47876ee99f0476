/* SPDX-License-Identifier: BSD-3-Clause */
/* The event queue: connections that come, come about, and go. */
#include <errno.h>
#include <rdma/fi_errno.h>
#include <string.h>

#include "runtime/base/status.h"
#include "streams/stream_handshake.h"
#include "streams/stream_kick.h"

#define EVENTS_MOST 64 /* at a time: others have their turn, too */
#define DATA_MOST 256  /* connection data that is looked at: a hello, and what providers pad it with */

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

static void handle(tutti_stream_context *context, uint32_t event, const struct fi_eq_cm_entry *entry,
                   size_t bytes)
{
    if (event == FI_CONNREQ) {
        tti_stream_knock(context, entry, bytes);
        return;
    }
    tutti_stream *stream = find_stream(context, entry->fid);
    if (stream == NULL) return;
    if (event == FI_CONNECTED)
        connected(stream, entry->data, bytes - sizeof *entry);
    else if (event == FI_SHUTDOWN)
        lose(stream, 0);
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
static void refused(tutti_stream *stream, const struct fi_eq_err_entry *entry)
{
    tti_hello hello;
    if (entry->err_data_size == 0) {
        tti_stream_end(stream, TUTTI_ERR_REFUSED, "%s: nobody listens there", stream->peer);
        return;
    }
    const int code = tti_hello_read(&hello, entry->err_data, entry->err_data_size, stream->peer);
    if (code < 0)
        tti_stream_end(stream, code, "%s", tutti_error_detail());
    else
        end_refused(stream, hello.refusal);
}

static void failed(tutti_stream *stream, const struct fi_eq_err_entry *entry)
{
    const int error = entry->err < 0 ? -entry->err : entry->err;
    const char *text = stream->context->library->strerror(error);
    if (error == FI_ECONNREFUSED)
        refused(stream, entry);
    else if (error == FI_ETIMEDOUT)
        tti_stream_end(stream, TUTTI_ERR_TIMEOUT, "%s does not answer: %s", stream->peer, text);
    else if (stream->phase == TTI_STREAM_CONNECTING)
        tti_stream_end(stream, TUTTI_ERR_PEER_FAILED, "%s does not let this side in: %s", stream->peer, text);
    else
        lose(stream, error);
}

static int read_error(tutti_stream_context *context)
{
    uint8_t data[DATA_MOST];
    struct fi_eq_err_entry entry = {.err_data = data, .err_data_size = sizeof data};
    const ssize_t result = fi_eq_readerr(context->events, &entry, 0);
    if (result < 0) return 0;
    if (entry.err_data == data && entry.err_data_size == sizeof data) entry.err_data_size = 0; /* untouched */
    tutti_stream *stream = entry.fid != NULL ? find_stream(context, entry.fid) : NULL;
    if (stream != NULL) failed(stream, &entry);
    return 1;
}

int tti_stream_drain_events(tutti_stream_context *context)
{
    union {
        struct fi_eq_cm_entry entry;
        uint8_t bytes[sizeof(struct fi_eq_cm_entry) + DATA_MOST];
    } event;
    for (int count = 0; count < EVENTS_MOST; count++) {
        uint32_t kind;
        /* libfabric 1.17 looks at it where a connection ended early, and on EAGAIN waits on for ever. */
        errno = 0;
        const ssize_t bytes = fi_eq_read(context->events, &kind, &event, sizeof event, 0);
        if (bytes == -FI_EAVAIL) {
            if (read_error(context) == 0) return count;
        } else if (bytes == -FI_EAGAIN) {
            return count;
        } else if (bytes < 0) {
            return tti_stream_refuse(context, (int)bytes, "fi_eq_read", "streams");
        } else if ((size_t)bytes >= sizeof event.entry) {
            handle(context, kind, &event.entry, (size_t)bytes);
        }
    }
    return EVENTS_MOST;
}

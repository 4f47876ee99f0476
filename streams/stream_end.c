/* SPDX-License-Identifier: BSD-3-Clause */
/* How streams end. Closing: each side says BYE as its last frame; who was asked to close ends as soon as it
 * has the other's BYE and its own has left, and the other one when the connection then goes. So neither
 * closes a socket in which the other's frames still lie.
 *
 *   asked to close          other side
 *   messages … BYE  ─────→  on_message …
 *                   ←─────  messages … BYE
 *   ends            ──────  sees the connection go: ends
 *
 * A stream that has ended is reaped in two steps, between which the completion queue is read to its end, or,
 * where it never ends, beyond all that there may have been: once its endpoint is closed, libfabric reports
 * what was under way, and then never names its slots again. */
#include <rdma/fi_cm.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/clock.h"
#include "runtime/base/status.h"
#include "streams/stream_threads.h"

#define NS_PER_MS INT64_C(1000000)

void tti_stream_set_deadline(tutti_stream *stream, int ms)
{
    stream->deadline = tti_clock_later(tti_clock_ns(), ms * NS_PER_MS);
    tti_list_remove(&stream->timed);
    tti_list_append(&stream->context->timed, &stream->timed);
    tti_stream_wake(stream->context);
}

void tti_stream_end(tutti_stream *stream, int code, const char *format, ...)
{
    if (stream->phase == TTI_STREAM_ENDED) return;
    va_list args;
    va_start(args, format);
    vsnprintf(stream->why, sizeof stream->why, format, args);
    va_end(args);
    stream->phase = TTI_STREAM_ENDED;
    stream->code = code;
    /* What the peer sent before it went is still handed out; not so where this side wants no more. */
    if (code == TUTTI_ERR_CANCELLED || code == TUTTI_ERR_FABRIC) stream->deaf = true;
    tti_list_remove(&stream->timed);
    tti_list_remove(&stream->waiting);
    tti_list_remove(&stream->bundled);
    tti_list_remove(&stream->link);
    tti_list_append(&stream->context->ended, &stream->link);
    tti_stream_kick(stream->context);
}

void tti_stream_finish(tutti_stream *stream)
{
    if (stream->asked && stream->bye_left && stream->bye_arrived) tti_stream_end(stream, 0, "closed");
}

static void out_of_time(tutti_stream *stream)
{
    const tutti_stream_options *options = &stream->context->options;
    if (stream->arrived && stream->phase < TTI_STREAM_OPEN)
        tti_stream_end(stream, TUTTI_ERR_TIMEOUT,
                       "%s has not finished its handshake for %d ms (handshake_timeout_ms)", stream->peer,
                       options->handshake_timeout_ms);
    else if (stream->phase != TTI_STREAM_CLOSING)
        tti_stream_end(stream, TUTTI_ERR_TIMEOUT, "%s has not answered for %d ms (connect_timeout_ms)",
                       stream->peer, options->connect_timeout_ms);
    else if (stream->bye_left && stream->bye_arrived)
        tti_stream_end(stream, 0, "closed");
    else
        tti_stream_end(stream, TUTTI_ERR_TIMEOUT, "%s has not agreed to close for %d ms (close_timeout_ms)",
                       stream->peer, options->close_timeout_ms);
}

void tti_stream_expire(tutti_stream_context *context)
{
    if (tti_list_empty(&context->timed) && tti_list_empty(&context->bundled)) return;
    const int64_t now = tti_clock_ns();
    tti_stream_send_bundles(context, now);
    tti_link *at = context->timed.next;
    while (at != &context->timed) {
        tutti_stream *stream = TTI_OWNER(at, tutti_stream, timed);
        at = at->next;
        if (stream->deadline <= now) out_of_time(stream);
    }
}

static int64_t sooner(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static int time_left(const tutti_stream_context *context)
{
    int64_t first = tti_stream_next_sweep(context);
    if (!tti_list_empty(&context->bundled))
        first = sooner(first, TTI_OWNER(context->bundled.next, tutti_stream, bundled)->bundle_deadline);
    for (const tti_link *at = context->timed.next; at != &context->timed; at = at->next)
        first = sooner(first, TTI_OWNER(at, tutti_stream, timed)->deadline);
    if (first == INT64_MAX) return -1;
    const int64_t left = (first - tti_clock_ns() + NS_PER_MS - 1) / NS_PER_MS;
    return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

int tutti_stream_timeout(const tutti_stream_context *context)
{
    if (context == NULL) return -1;
    if (tti_stream_enter(context, "tutti_stream_timeout") < 0)
        return 0; /* tutti_stream_process() will tell */
    return tti_stream_leave(context, time_left(context));
}

static void close_one(tutti_stream *stream)
{
    if (stream->sharers > 0) { /* others need it still */
        stream->sharers--;
        return;
    }
    stream->asked = true;
    if (stream->phase < TTI_STREAM_OPEN)
        tti_stream_end(stream, TUTTI_ERR_CANCELLED, "closed before it was open");
    else if (stream->phase == TTI_STREAM_OPEN)
        tti_stream_say_bye(stream);
    else
        tti_stream_finish(stream);
}

int tutti_stream_close(tutti_stream *stream)
{
    if (stream == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_close: there is no stream");
    const tutti_stream_context *context = stream->context;
    const int code = tti_stream_enter(context, "tutti_stream_close");
    if (code < 0) return code;
    close_one(stream);
    return tti_stream_leave(context, 0);
}

int tutti_stream_abort(tutti_stream *stream)
{
    if (stream == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_abort: there is no stream");
    const tutti_stream_context *context = stream->context;
    const int code = tti_stream_enter(context, "tutti_stream_abort");
    if (code < 0) return code;
    tti_stream_end(stream, TUTTI_ERR_CANCELLED, "ended by tutti_stream_abort()");
    return tti_stream_leave(context, 0);
}

static void close_endpoint(tutti_stream *stream)
{
    stream->closed_endpoint = true;
    stream->mark = tti_stream_mark(stream->context);
    if (stream->endpoint == NULL) return;
    /* Passes on what the provider still has: the last frame, or a denial. */
    if (stream->code == 0 || stream->denied) fi_shutdown(stream->endpoint, 0);
    fi_close(&stream->endpoint->fid);
}

static void reclaim(tutti_stream_context *context, const tutti_stream *stream)
{
    for (int i = 0; i < context->send.count; i++) {
        if (context->send.slots[i].stream == stream)
            tti_stream_pool_give(&context->send, &context->send.slots[i]);
    }
    for (int i = 0; i < context->receive.active; i++) {
        tti_stream_slot *slot = &context->receive.slots[i];
        if (slot->creditor == stream && slot->use == TTI_SLOT_HELD) context->held_orphan++;
        if (slot->creditor == stream) slot->creditor = NULL;
        if (slot->stream != stream) continue;
        slot->stream = NULL;
        if (slot->use != TTI_SLOT_HELD) tti_stream_pool_give(&context->receive, slot);
    }
    stream->credit_slot->bytes = 0; /* a proof may be in it */
    stream->credit_slot->length = TTI_FRAME_HEAD;
    tti_stream_pool_give(&context->control, stream->credit_slot);
    tti_stream_pool_give(&context->control, stream->bye_slot);
}

void tti_stream_tell_refused(const tutti_stream_context *context, const tutti_stream_callbacks *callbacks,
                             int code, const char *why)
{
    const tutti_stream_callbacks theirs = *callbacks; /* another thread may end the listener */
    if (theirs.on_refused == NULL) return;
    tti_stream_step_out(context);
    theirs.on_refused(code, why, theirs.user);
    tti_stream_step_in(context);
}

/* The last word: of a stream that the program knows to its on_closed, of one that did not come about to its
 * listener's on_refused, unless the program itself ended that. */
static void tell_end(tutti_stream *stream)
{
    if (!stream->told && stream->arrived && stream->code != TUTTI_ERR_CANCELLED)
        tti_stream_tell_refused(stream->context, &stream->callbacks, stream->code, stream->why);
    if (!stream->told || stream->callbacks.on_closed == NULL) return;
    tti_stream_step_out(stream->context);
    stream->callbacks.on_closed(stream, stream->code, stream->why, stream->callbacks.user);
    tti_stream_step_in(stream->context);
}

static void bury(tutti_stream *stream)
{
    tutti_stream_context *context = stream->context;
    tti_stream_return_keys(stream);
    tell_end(stream);
    reclaim(context, stream);
    tti_list_remove(&stream->link);
    context->by_index[stream->token & 0xffff] = NULL;
    context->live--;
    free(stream);
}

/* True if something was done: then read the completion queue again. */
bool tti_stream_reap(tutti_stream_context *context, bool anyway)
{
    const tti_link *last = context->ended.prev; /* those that end meanwhile are for the next time */
    bool any = false;
    for (tti_link *at = context->ended.next, *next; at != &context->ended; at = next) {
        tutti_stream *stream = TTI_OWNER(at, tutti_stream, link);
        const bool is_last = at == last;
        next = at->next;
        if (!stream->closed_endpoint) {
            close_endpoint(stream);
            any = true;
        } else if (anyway || tti_stream_is_past(context, stream->mark)) {
            bury(stream);
            any = true;
        }
        if (is_last) break;
    }
    return any;
}

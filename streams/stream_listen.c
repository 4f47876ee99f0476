/* SPDX-License-Identifier: BSD-3-Clause */
/* Listeners, and who knocks at them. */
#include <rdma/fi_cm.h>
#include <rdma/fi_endpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "streams/stream_guests.h"
#include "streams/stream_handshake.h"
#include "streams/stream_listen.h"
#include "streams/stream_silent.h"
#include "streams/stream_threads.h"

static int open_listener(tutti_stream_listener *listener, struct fi_info *info, const char *address)
{
    tutti_stream_context *context = listener->context;
    int result = fi_passive_ep(context->fabric, info, &listener->endpoint, listener);
    if (result != 0) return tti_stream_refuse(context, result, "fi_passive_ep", address);
    result = fi_pep_bind(listener->endpoint, &context->events->fid, 0);
    if (result != 0) return tti_stream_refuse(context, result, "fi_pep_bind", address);
    result = fi_listen(listener->endpoint);
    if (result != 0) return tti_stream_refuse(context, result, "fi_listen", address);
    listener->listens = true;
    return 0;
}

static int make_listener(tutti_stream_context *context, struct fi_info *info, const char *address,
                         tutti_stream_listener **listener)
{
    tutti_stream_listener *one = calloc(1, sizeof *one);
    if (one == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a listener");
    one->context = context;
    one->shut = -1;
    tti_list_append(&context->listeners, &one->link);
    const int code = open_listener(one, info, address);
    if (code < 0)
        tti_stream_end_listener(one);
    else
        *listener = one;
    return code;
}

static int listen_at(tutti_stream_context *context, const char *address,
                     const tutti_stream_callbacks *callbacks, tutti_stream_listener **listener)
{
    if (context->dying) return tti_fail(TUTTI_ERR_STATE, "the context is being destroyed");
    struct fi_info *info;
    int code = tti_stream_lookup(context, address, FI_SOURCE, &info);
    if (code < 0) return code;
    code = tti_stream_network_open(context, info);
    if (code == 0) code = make_listener(context, info, address, listener);
    if (code == 0) (*listener)->callbacks = *callbacks;
    if (code == 0) tti_stream_silent_listen(context, *listener);
    context->library->freeinfo(info);
    return code;
}

int tutti_stream_listen(tutti_stream_context *context, const char *address,
                        const tutti_stream_callbacks *callbacks, tutti_stream_listener **listener)
{
    if (context == NULL || address == NULL || callbacks == NULL || listener == NULL)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_listen: no argument may be NULL");
    const int code = tti_stream_enter(context, "tutti_stream_listen");
    return code < 0 ? code : tti_stream_leave(context, listen_at(context, address, callbacks, listener));
}

static int tell_address(const tutti_stream_listener *listener, char *text, size_t bytes)
{
    struct sockaddr_storage address;
    size_t length = sizeof address;
    const int result = fi_getname(&listener->endpoint->fid, &address, &length);
    if (result != 0) return tti_stream_refuse(listener->context, result, "fi_getname", "a listener");
    char whole[TTI_STREAM_TEXT];
    tti_stream_print_address(&address, length, whole);
    if (strlen(whole) >= bytes)
        return tti_fail(TUTTI_ERR_LIMIT, "the address needs %zu bytes, there are %zu", strlen(whole) + 1,
                        bytes);
    memcpy(text, whole, strlen(whole) + 1);
    return 0;
}

int tutti_stream_listener_address(const tutti_stream_listener *listener, char *text, size_t bytes)
{
    if (listener == NULL || text == NULL)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_listener_address: no argument may be NULL");
    const tutti_stream_context *context = listener->context;
    const int code = tti_stream_enter(context, "tutti_stream_listener_address");
    return code < 0 ? code : tti_stream_leave(context, tell_address(listener, text, bytes));
}

int tutti_stream_listener_close(tutti_stream_listener **listener)
{
    if (listener == NULL || *listener == NULL)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_listener_close: there is no listener");
    tutti_stream_context *context = (*listener)->context;
    const int code = tti_stream_enter(context, "tutti_stream_listener_close");
    if (code < 0) return code;
    tti_stream_end_listener(*listener);
    tti_stream_wake(context); /* tutti_stream_run() may have nothing to wait for any more */
    *listener = NULL;
    return tti_stream_leave(context, 0);
}

static uint8_t refusal_of(int code)
{
    return code == TUTTI_ERR_VERSION  ? TTI_REFUSAL_VERSION
           : code == TUTTI_ERR_FABRIC ? TTI_REFUSAL_NOT_A_STREAM
           : code == TUTTI_ERR_DENIED ? TTI_REFUSAL_SECRET
                                      : TTI_REFUSAL_FULL;
}

static void turn_away(tutti_stream_context *context, struct fid_pep *at, struct fi_info *info, int code)
{
    const tti_hello refusal = {.version = TTI_STREAM_VERSION, .refusal = refusal_of(code)};
    uint8_t text[TTI_HELLO_BYTES];
    tti_hello_write(&refusal, text);
    const int result = fi_reject(at, info->handle, text, sizeof text);
    if (result != 0) tti_log(TTI_LOG_WARN, "fi_reject failed: %s", context->library->strerror(-result));
}

static int check_room(const tutti_stream_context *context, const char *who)
{
    if (tti_stream_half_open(context) < context->options.max_half_open)
        return tti_stream_check_receives(context, who);
    return tti_fail(TUTTI_ERR_LIMIT,
                    "%s is turned away: %d streams arrive and are not open yet (max_half_open)", who,
                    context->options.max_half_open);
}

/* 0, or what the listener hears of by on_refused: a stream that did not come about. */
static int let_in(tutti_stream *stream, struct fi_info *info, const tti_hello *hello)
{
    tti_stream_name_peer(stream, info);
    tti_stream_close_at_exec(stream->context, stream->peer);
    stream->arrived = true;
    stream->phase = TTI_STREAM_ACCEPTING;
    const int code = tti_stream_open_endpoint(stream, info);
    if (code < 0) return code;
    tti_stream_meet(stream, hello);
    tti_stream_set_deadline(stream, stream->context->options.handshake_timeout_ms);
    const int result = fi_accept(stream->endpoint, tti_stream_greet(stream), TTI_HELLO_BYTES);
    return result == 0 ? 0 : tti_stream_refuse(stream->context, result, "fi_accept", stream->peer);
}

static tutti_stream_listener *find_listener(tutti_stream_context *context, const struct fid *endpoint)
{
    for (tti_link *at = context->listeners.next; at != &context->listeners; at = at->next) {
        tutti_stream_listener *one = TTI_OWNER(at, tutti_stream_listener, link);
        if (&one->endpoint->fid == endpoint) return one;
    }
    return NULL;
}

/* Words that are no hello of a stream that may come in are answered by why not. */
static int admit(tutti_stream_context *context, const tti_hello *hello, const char *who)
{
    if (hello->refusal != TTI_REFUSAL_NONE)
        return tti_fail(TUTTI_ERR_FABRIC, "%s refuses before it is asked", who);
    const int code = tti_stream_check_guard(context, hello, who);
    return code < 0 ? code : check_room(context, who);
}

void tti_stream_knock(tutti_stream_context *context, const tti_stream_event *event)
{
    const tutti_stream_listener *listener = find_listener(context, event->fid);
    struct fi_info *info = event->info;
    tti_hello hello;
    tutti_stream *stream = NULL;
    char who[TTI_STREAM_TEXT];
    tti_stream_print_address(info->dest_addr, info->dest_addrlen, who);
    if (listener != NULL) {
        int code = tti_hello_read(&hello, event->data, event->bytes, who);
        if (code == 0) code = admit(context, &hello, who);
        if (code == 0) code = tti_stream_new(context, &listener->callbacks, &stream);
        if (code == 0) code = let_in(stream, info, &hello);
        if (code < 0) turn_away(context, listener->endpoint, info, code);
        if (code < 0 && stream != NULL)
            tti_stream_end(stream, code, "%s",
                           tutti_error_detail()); /* on_refused follows when it is freed */
        else if (code < 0)
            tti_stream_tell_refused(context, &listener->callbacks, code, tutti_error_detail());
    }
    context->library->freeinfo(info);
}

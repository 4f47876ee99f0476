/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream from nothing to open, as far as both sides do alike, and knocking. */
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <stdlib.h>

#include "runtime/base/random.h"
#include "runtime/base/status.h"
#include "streams/stream_guests.h"
#include "streams/stream_handshake.h"
#include "streams/stream_reuse.h"
#include "streams/stream_threads.h"

/* A free place, so that a token leads to its stream without a search. */
static int find_place(const tutti_stream_context *context)
{
    for (int i = 0; i < context->options.max_streams; i++) {
        if (context->by_index[i] == NULL) return i;
    }
    return tti_fail(TUTTI_ERR_LIMIT, "%d streams are there, as many as this context was made for",
                    context->options.max_streams);
}

static void enlist(tutti_stream *stream, int place)
{
    tutti_stream_context *context = stream->context;
    stream->token = (stream->token & ~UINT64_C(0xffff)) | (uint64_t)place;
    stream->credit_slot = tti_stream_pool_take(&context->control);
    stream->bye_slot = tti_stream_pool_take(&context->control);
    context->by_index[place] = stream;
    context->live++;
    tti_list_append(&context->streams, &stream->link);
}

int tti_stream_new(tutti_stream_context *context, const tutti_stream_callbacks *callbacks,
                   tutti_stream **stream)
{
    const int place = find_place(context);
    if (place < 0) return place;
    tutti_stream *one = calloc(1, sizeof *one);
    if (one == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a stream");
    one->context = context;
    one->callbacks = *callbacks;
    tti_list_init(&one->link);
    tti_list_init(&one->timed);
    tti_list_init(&one->waiting);
    tti_list_init(&one->pending);
    tti_list_init(&one->bundled);
    tti_list_init(&one->alike);
    int code = tti_random_fill(&one->token, sizeof one->token, "the token of a stream");
    if (code == 0) code = tti_random_fill(one->nonce, sizeof one->nonce, "the nonce of a stream");
    if (code < 0) {
        free(one);
        return code;
    }
    enlist(one, place);
    *stream = one;
    return 0;
}

int tti_stream_open_endpoint(tutti_stream *stream, struct fi_info *info)
{
    tutti_stream_context *context = stream->context;
    int result = fi_endpoint(context->domain, info, &stream->endpoint, stream);
    if (result == -FI_EINVAL || result == -FI_ENODATA)
        return tti_fail(TUTTI_ERR_FABRIC,
                        "%s cannot be reached from network %s, where this context began: make another one",
                        stream->peer, context->info->domain_attr->name);
    if (result != 0) return tti_stream_refuse(context, result, "fi_endpoint", stream->peer);
    result = fi_ep_bind(stream->endpoint, &context->events->fid, 0);
    if (result == 0) result = fi_ep_bind(stream->endpoint, &context->completions->fid, FI_TRANSMIT | FI_RECV);
    if (result == 0 && context->shared != NULL)
        result = fi_ep_bind(stream->endpoint, &context->shared->fid, 0);
    if (result != 0) return tti_stream_refuse(context, result, "fi_ep_bind", stream->peer);
    result = fi_enable(stream->endpoint);
    if (result != 0) return tti_stream_refuse(context, result, "fi_enable", stream->peer);
    return tti_stream_ready_receives(stream);
}

static int knock_at(tutti_stream *stream, struct fi_info *info)
{
    tti_stream_name_peer(stream, info);
    stream->descriptor = tti_stream_next_free(stream->context);
    const int code = tti_stream_open_endpoint(stream, info);
    if (code < 0) return code;
    stream->phase = TTI_STREAM_CONNECTING;
    tti_stream_set_deadline(stream, stream->context->options.connect_timeout_ms);
    const int result =
        fi_connect(stream->endpoint, info->dest_addr, tti_stream_greet(stream), TTI_HELLO_BYTES);
    if (result == -FI_ECONNREFUSED)
        tti_stream_nobody_listens(stream);
    else if (result != 0)
        tti_stream_end(stream, TUTTI_ERR_PEER_FAILED, "%s cannot be reached: %s", stream->peer,
                       stream->context->library->strerror(-result));
    return 0;
}

static int connect_to(tutti_stream_context *context, const char *address,
                      const tutti_stream_callbacks *callbacks, tutti_stream **stream)
{
    if (context->dying) return tti_fail(TUTTI_ERR_STATE, "the context is being destroyed");
    struct fi_info *info;
    int code = tti_stream_lookup(context, address, 0, &info);
    if (code < 0) return code;
    tutti_stream *one = tti_stream_find_shared(context, info, callbacks);
    if (one != NULL) {
        context->library->freeinfo(info);
        tti_stream_share(one);
        *stream = one;
        return 0;
    }
    code = tti_stream_network_open(context, info);
    if (code == 0) code = tti_stream_new(context, callbacks, &one);
    if (code == 0) code = knock_at(one, info);
    context->library->freeinfo(info);
    if (code < 0 && one != NULL) tti_stream_end(one, code, "never begun");
    if (code < 0) return code;
    one->told = true;
    *stream = one;
    return 0;
}

int tutti_stream_connect(tutti_stream_context *context, const char *address,
                         const tutti_stream_callbacks *callbacks, tutti_stream **stream)
{
    if (context == NULL || address == NULL || callbacks == NULL || stream == NULL)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_connect: no argument may be NULL");
    const int code = tti_stream_enter(context, "tutti_stream_connect");
    return code < 0 ? code : tti_stream_leave(context, connect_to(context, address, callbacks, stream));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and ending a context, and what a program keeps with a stream. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/base/status.h"
#include "streams/stream_event.h"
#include "streams/stream_silent.h"
#include "streams/stream_threads.h"

#define COALESCE_MS 1      /* the shortest that an event loop's timeout can tell */
#define STREAMS_MOST 65536 /* what the lower 16 bits of a token can tell apart */

static int check(const char *name, int64_t value, int64_t least, int64_t most)
{
    if (value >= least && value <= most) return 0;
    return tti_fail(TUTTI_ERR_ARG, "tutti_stream_options.%s is %lld; it takes %lld to %lld, or 0", name,
                    (long long)value, (long long)least, (long long)most);
}

static int take_options(tutti_stream_options *to, const tutti_stream_options *from)
{
    if (from != NULL) *to = *from;
    if (to->buffer_bytes == 0) to->buffer_bytes = 16384;
    if (to->send_buffers == 0) to->send_buffers = 64;
    if (to->credits == 0) to->credits = 16;
    if (to->max_streams == 0) to->max_streams = 64;
    if (to->connect_timeout_ms == 0) to->connect_timeout_ms = 10000;
    if (to->close_timeout_ms == 0) to->close_timeout_ms = 60000;
    if (to->coalesce_ms == 0) to->coalesce_ms = COALESCE_MS;
    if (to->zero_copy_sends == 0) to->zero_copy_sends = 64;
    if (to->max_half_open == 0) to->max_half_open = 32;
    if (to->handshake_timeout_ms == 0) to->handshake_timeout_ms = 5000;
    const int64_t bytes = to->buffer_bytes <= TTI_STREAM_BUFFER_MOST ? (int64_t)to->buffer_bytes : INT64_MAX;
    int code = check("buffer_bytes", bytes, TTI_STREAM_BUFFER_LEAST, (int64_t)TTI_STREAM_BUFFER_MOST);
    if (code == 0) code = check("send_buffers", to->send_buffers, 1, 65536);
    if (code == 0) code = check("credits", to->credits, 1, TTI_STREAM_CREDITS_MOST);
    if (code == 0) code = check("max_streams", to->max_streams, 1, STREAMS_MOST);
    if (code == 0) code = check("connect_timeout_ms", to->connect_timeout_ms, 1, INT32_MAX);
    if (code == 0) code = check("close_timeout_ms", to->close_timeout_ms, 1, INT32_MAX);
    if (code == 0) code = check("coalesce_ms", to->coalesce_ms, -1, INT32_MAX);
    if (code == 0) code = check("zero_copy_sends", to->zero_copy_sends, 1, 65536);
    if (code == 0) code = check("max_half_open", to->max_half_open, 1, STREAMS_MOST);
    if (code == 0) code = check("handshake_timeout_ms", to->handshake_timeout_ms, 1, INT32_MAX);
    return code;
}

/* A copy in the place of the program's text. */
static int take_provider(tutti_stream_options *options)
{
    const char *theirs = options->provider;
    if (theirs == NULL) return 0;
    options->provider = strdup(theirs);
    return options->provider != NULL ? 0 : tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a provider's name");
}

/* The secret becomes the context's own, and its options forget where it came from. */
static int take_secret(tutti_stream_context *context)
{
    tutti_stream_options *options = &context->options;
    int code = 0;
    if (options->secret_file != NULL && options->secret != NULL)
        code = tti_fail(TUTTI_ERR_ARG,
                        "tutti_stream_options has both secret_file and secret: one of them, please");
    else if (options->secret_file != NULL)
        code = tti_secret_read(&context->secret, options->secret_file);
    else if (options->secret != NULL)
        code = tti_secret_copy(&context->secret, options->secret, options->secret_bytes);
    options->secret_file = NULL;
    options->secret = NULL;
    return code;
}

/* Of receives twice as many as all streams take: messages of streams that are gone may be held, in their
 * buffers. */
static int open_pools(tutti_stream_context *context)
{
    const tutti_stream_options *options = &context->options;
    const int receives = 2 * TTI_STREAM_SLOTS(context) * options->max_streams;
    int code = tti_stream_pool_open(&context->send, options->send_buffers, options->buffer_bytes, false);
    if (code == 0)
        code = tti_stream_pool_open(&context->control, 2 * options->max_streams, TTI_PROOF_BYTES, false);
    if (code == 0) code = tti_stream_pool_open(&context->receive, receives, options->buffer_bytes, true);
    if (code == 0) code = tti_stream_gathers_open(context);
    context->by_index = calloc((size_t)options->max_streams, sizeof(tutti_stream *));
    if (code == 0 && context->by_index == NULL)
        code = tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for %d streams", options->max_streams);
    return code;
}

static int open_descriptors(tutti_stream_context *context)
{
    context->epoll = epoll_create1(EPOLL_CLOEXEC);
    context->kick = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    context->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN};
    if (context->epoll < 0 || context->kick < 0 || context->stop < 0 ||
        epoll_ctl(context->epoll, EPOLL_CTL_ADD, context->kick, &event) != 0)
        return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "making the descriptors of a stream context");
    return 0;
}

static void free_context(tutti_stream_context *context)
{
    tti_stream_forget_kept_events(context);
    tti_stream_network_close(context);
    tti_stream_pool_close(&context->send);
    tti_stream_pool_close(&context->control);
    tti_stream_pool_close(&context->headers);
    free(context->gathers);
    tti_stream_regions_free(context);
    tti_stream_pool_close(&context->receive);
    free(context->by_index);
    if (context->kick >= 0) close(context->kick);
    if (context->stop >= 0) close(context->stop);
    if (context->epoll >= 0) close(context->epoll);
    free((char *)context->options.provider);
    tti_secret_free(context->secret);
    tti_stream_silent_close(context->silent);
    if (context->descriptors != NULL) closedir(context->descriptors);
    tti_stream_threads_close(context);
    free(context);
}

static int fill(tutti_stream_context *context, const tutti_stream_options *options)
{
    tti_link *const lists[] = {&context->streams, &context->ended,   &context->listeners,
                               &context->timed,   &context->waiting, &context->unposted,
                               &context->arrived, &context->bundled, &context->kept_events};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        tti_list_init(lists[i]);
    for (int i = 0; i < TTI_STREAM_BUCKETS; i++)
        tti_list_init(&context->by_peer[i]);
    context->epoll = context->kick = context->stop = -1;
    context->eager = options == NULL || options->coalesce_ms == 0;
    int code = take_options(&context->options, options);
    const int copied = take_provider(&context->options); /* also where that failed: it is freed */
    if (code == 0) code = copied;
    if (code == 0) code = tti_stream_threads_open(context);
    if (code == 0) code = take_secret(context);
    if (code == 0) code = open_pools(context);
    return code == 0 ? open_descriptors(context) : code;
}

int tutti_stream_context_create(tutti_stream_context **context, const tutti_stream_options *options)
{
    if (context == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_context_create: context is NULL");
    tutti_stream_context *one = calloc(1, sizeof *one);
    if (one == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a stream context");
    const int code = fill(one, options);
    if (code < 0)
        free_context(one);
    else
        *context = one;
    return code;
}

static void end_all(tutti_stream_context *one)
{
    one->dying = true;
    while (!tti_list_empty(&one->listeners))
        tti_stream_end_listener(TTI_OWNER(one->listeners.next, tutti_stream_listener, link));
    while (!tti_list_empty(&one->streams))
        tti_stream_end(TTI_OWNER(one->streams.next, tutti_stream, link), TUTTI_ERR_CANCELLED,
                       "its context is destroyed");
}

int tutti_stream_context_destroy(tutti_stream_context **context)
{
    if (context == NULL || *context == NULL)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_context_destroy: there is no context");
    tutti_stream_context *one = *context;
    if (one->inside) return tti_fail(TUTTI_ERR_STATE, "tutti_stream_context_destroy: called from a callback");
    one->bound = false; /* the loop is over: any thread may do this */
    tti_stream_enter(one, "tutti_stream_context_destroy");
    end_all(one);
    tti_stream_leave(one, 0);
    /* Three rounds: endpoints are closed, their last completions are read, streams are freed. */
    while (one->live > 0 && tutti_stream_process(one, 0) >= 0)
        continue;
    tti_stream_enter(one, "tutti_stream_context_destroy");
    one->inside = true;
    while (one->live > 0) /* the network fails as a whole: callbacks are owed all the same */
        tti_stream_reap(one, true);
    tti_stream_leave(one, 0);
    free_context(one);
    *context = NULL;
    return 0;
}

void tutti_stream_set_data(tutti_stream *stream, void *data)
{
    if (stream != NULL) stream->data = data;
}

void *tutti_stream_data(const tutti_stream *stream)
{
    return stream != NULL ? stream->data : NULL;
}

const char *tutti_stream_peer(const tutti_stream *stream)
{
    return stream != NULL ? stream->peer : "";
}

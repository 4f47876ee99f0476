/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/stream_reuse.h"

#include <string.h>

#include "streams/stream_handshake.h"
#include "streams/stream_kick.h"

static bool serves(const tutti_stream *stream, const char *peer, const tutti_stream_callbacks *callbacks)
{
    return !stream->arrived && stream->told && !stream->asked && stream->phase <= TTI_STREAM_OPEN &&
           strcmp(stream->peer, peer) == 0 && memcmp(&stream->callbacks, callbacks, sizeof *callbacks) == 0;
}

tutti_stream *tti_stream_find_shared(tutti_stream_context *context, const struct fi_info *info,
                                     const tutti_stream_callbacks *callbacks)
{
    char peer[TTI_STREAM_TEXT];
    if (context->options.own_connections != 0) return NULL;
    tti_stream_print_address(info->dest_addr, info->dest_addrlen, peer);
    for (tti_link *at = context->streams.next; at != &context->streams; at = at->next) {
        tutti_stream *one = TTI_OWNER(at, tutti_stream, link);
        if (serves(one, peer, callbacks)) return one;
    }
    return NULL;
}

void tti_stream_share(tutti_stream *stream)
{
    stream->sharers++;
    stream->opens_due++;
    stream->context->opens_due = true;
    tti_stream_kick(stream->context);
}

/* A stream that is open and of which somebody has not heard so. */
static tutti_stream *find_due(tutti_stream_context *context)
{
    for (tti_link *at = context->streams.next; at != &context->streams; at = at->next) {
        tutti_stream *one = TTI_OWNER(at, tutti_stream, link);
        if (one->opens_due > 0 && one->phase == TTI_STREAM_OPEN) return one;
    }
    return NULL;
}

bool tti_stream_tell_shared(tutti_stream_context *context)
{
    bool any = false;
    if (!context->opens_due) return false;
    for (tutti_stream *stream; (stream = find_due(context)) != NULL; any = true) {
        stream->opens_due--;
        tti_stream_tell_open(stream);
    }
    context->opens_due = false; /* but for those that are not open yet */
    for (tti_link *at = context->streams.next; at != &context->streams; at = at->next)
        context->opens_due |= TTI_OWNER(at, tutti_stream, link)->opens_due > 0;
    return any;
}

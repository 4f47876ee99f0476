/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/stream_stray.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "streams/stream_guests.h"

#define LOOK_EVERY 1024 /* strays */
#define LOOK_SHARE 20   /* and looking takes at most one part in so many of the time */
/* Bytes of a connection that are no operation's: a provider's head of each, at most; and what it may have
 * read ahead, with the words of connecting. */
#define HEAD_MOST 64
#define AHEAD_MOST ((uint64_t)64 << 10)

/* Bytes that the program has read from a connection. 0: not to be known. */
static uint64_t bytes_read(int descriptor)
{
    struct tcp_info info;
    socklen_t length = sizeof info;
    int waiting = 0;
    const size_t needed = offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || length < needed) return 0;
    if (ioctl(descriptor, SIOCINQ, &waiting) != 0 || (uint64_t)waiting > info.tcpi_bytes_received) return 0;
    return info.tcpi_bytes_received - (uint64_t)waiting;
}

/* What may have been read from a connection and not be handed out yet, at most: all that has arrived, and all
 * that is being received. */
static uint64_t on_the_way(const tutti_stream_context *context)
{
    uint64_t bytes = AHEAD_MOST + (uint64_t)context->posted * (context->receive.stride + HEAD_MOST);
    for (const tti_link *at = context->arrived.next; at != &context->arrived; at = at->next)
        bytes += TTI_OWNER(at, tti_stream_slot, link)->length + HEAD_MOST;
    return bytes;
}

static void look(tutti_stream_context *context)
{
    const uint64_t slack = on_the_way(context);
    for (int one = tti_stream_first_descriptor(context); one >= 0;
         one = tti_stream_next_descriptor(context)) {
        tutti_stream *stream = tti_stream_behind(context, one);
        if (stream == NULL) continue;
        if (bytes_read(one) > stream->heard + stream->operations * HEAD_MOST + slack)
            tti_stream_out_of_step(stream, "it floods this side with what is no frame");
    }
}

void tti_stream_stray(tutti_stream_context *context, size_t bytes)
{
    tti_log(TTI_LOG_WARN, "%zu bytes that are no frame of a stream are dropped", bytes);
    if (++context->strays < LOOK_EVERY) return;
    const int64_t now = tti_clock_ns();
    if (now < context->next_stray_look) return;
    look(context);
    context->strays = 0;
    context->next_stray_look = now + (tti_clock_ns() - now) * LOOK_SHARE;
}

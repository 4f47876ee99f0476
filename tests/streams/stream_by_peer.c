/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose a connection is, is found among a few streams, however many there are: they are filed by their peers.
 */
#include <arpa/inet.h>

#include "streams/stream_guests.h"
#include "tests/streams/ends.h"

#define STREAMS 2000
#define FEW 50 /* of them, evenly, there are 8 in each bucket */

/* As when it connects from this port of the loopback. */
static void arrive(tutti_stream_context *context, int port)
{
    struct sockaddr_in peer = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct fi_info info = {.dest_addr = &peer, .dest_addrlen = sizeof peer};
    const tutti_stream_callbacks callbacks = {0};
    tutti_stream *stream;
    EXPECT(tti_stream_new(context, &callbacks, &stream) == 0);
    tti_stream_name_peer(stream, &info);
}

int main(void)
{
    const tutti_stream_options options = {.max_streams = STREAMS, .credits = 1, .buffer_bytes = 64};
    tutti_stream_context *context = ends_context(&options);
    end near = {0};
    char address[80];
    int whole = 0;
    ends_listen(context, &near, address);
    for (int i = 0; i < STREAMS; i++)
        arrive(context, 30000 + 2 * i); /* the kernel gives ports of one parity first */
    for (int i = 0; i < TTI_STREAM_BUCKETS; i++) {
        int count = 0;
        for (tti_link *at = context->by_peer[i].next; at != &context->by_peer[i]; at = at->next)
            count++;
        EXPECT(count < FEW);
        whole += count;
    }
    EXPECT(whole == STREAMS);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel asks on both ends of a stream whether the other's host is still there: who only receives would
 * not see it vanish else. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "streams/stream_state.h"
#include "tests/streams/ends.h"

#define DESCRIPTORS 256 /* more than this program has */

static bool is_connection(int descriptor)
{
    struct sockaddr_storage far;
    socklen_t length = sizeof far;
    return getpeername(descriptor, (struct sockaddr *)&far, &length) == 0 &&
           (far.ss_family == AF_INET || far.ss_family == AF_INET6);
}

static bool inherited[DESCRIPTORS]; /* connections that are none of this program's */

static void expect_questions(int connections)
{
    int count = 0;
    for (int i = 0; i < DESCRIPTORS; i++) {
        int asks = 0;
        socklen_t length = sizeof asks;
        if (inherited[i] || !is_connection(i)) continue;
        count++;
        EXPECT(getsockopt(i, SOL_SOCKET, SO_KEEPALIVE, &asks, &length) == 0 && asks != 0);
    }
    EXPECT(count == connections);
}

/* Also where the program has opened another descriptor just then, so that the stream's has to be looked for.
 */
int main(void)
{
    const tutti_stream_options options = {.own_connections = 1};
    for (int i = 0; i < DESCRIPTORS; i++)
        inherited[i] = is_connection(i);
    tutti_stream_context *context = ends_context(&options);
    end near = {0}, far = {0};
    const tutti_stream_callbacks callbacks = ends_callbacks(&far);
    char address[80];
    tutti_stream *stream;
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    ends_connect(context, &far, address);
    ends_until(context, &near.opened, "the connection");
    EXPECT(is_connection(far.stream->descriptor));
    expect_questions(2);
    far.opened = near.opened = false;
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
    stream->descriptor = -1;
    ends_until(context, &far.opened, "another connection");
    ends_until(context, &near.opened, "another connection");
    expect_questions(4);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}

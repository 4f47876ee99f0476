/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes: every message once, in order, whole, both ways at a time; then a close that drains. */
#include <string.h>

#include "tests/streams/ends.h"

#define MESSAGES 20000

/* Sends all, then closes at once: what lies in between must arrive all the same. */
static void far_end(const char *address)
{
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    ends_connect(context, &mine, address);
    EXPECT(strcmp(tutti_stream_peer(mine.stream), address) == 0);
    ends_send_all(context, &mine, MESSAGES);
    ends_close(context, &mine);
    EXPECT(mine.code == 0);
    EXPECT(mine.messages == MESSAGES / 10);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    tutti_stream_options options = {.buffer_bytes = 5000, .credits = 7, .send_buffers = 3};
    tutti_stream_context *context = ends_context(&options);
    end mine = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &mine, address);
    const pid_t child = ends_start(far_end, address);
    ends_until(context, &mine.opened, "a connection");
    EXPECT(strncmp(tutti_stream_peer(mine.stream), "127.0.0.1:", 10) == 0);
    EXPECT(strcmp(tutti_stream_peer(mine.stream), address) != 0); /* that is this side's */
    ends_send_all(context, &mine, MESSAGES / 10);
    ends_until(context, &mine.closed, "the close");
    EXPECT(mine.code == 0);
    EXPECT(mine.messages == MESSAGES);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    ends_join(child);
    return 0;
}

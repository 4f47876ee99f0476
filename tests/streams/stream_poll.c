/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that look all the time (tutti_stream_poll), against one that goes to and fro between that and
 * waiting: nothing is lost, and a program that waits right after looking is not left asleep. */
#include <poll.h>

#include "runtime/base/clock.h"
#include "streams/stream_state.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define ROUNDS 16
#define MESSAGES 500 /* of a round */

static void look_until(tutti_stream_context *context, const end *mine, uint64_t messages)
{
    const int64_t until = tti_clock_ns() + PATIENCE_NS;
    while (mine->messages < messages && !mine->closed) {
        EXPECT(tutti_stream_poll(context) >= 0);
        EXPECT(tti_clock_ns() < until); /* else no progress */
    }
}

/* Answers each round with as many messages, and never waits but for the end. */
static void far_end(const char *address)
{
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    ends_connect(context, &mine, address);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        look_until(context, &mine, round * MESSAGES);
        while (mine.sent < round * MESSAGES) {
            if (!ends_send(&mine)) EXPECT(tutti_stream_poll(context) >= 0);
        }
    }
    ends_until(context, &mine.closed, "the close");
    EXPECT(mine.code == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

static bool is_readable(tutti_stream_context *context)
{
    struct pollfd descriptor = {.fd = tutti_stream_fd(context), .events = POLLIN};
    return poll(&descriptor, 1, 0) == 1;
}

/* Readable while it looks, so that a wait returns; quiet after a turn that makes ready for waiting, unless
 * the context was made for a program that never waits. */
static void expect_to_and_fro(tutti_stream_context *context)
{
    for (int i = 0; i < 200; i++)
        EXPECT(tutti_stream_poll(context) == 0);
    EXPECT(is_readable(context));
    if (context->options.polling != 0) {
        EXPECT(tutti_stream_process(context, 0) == 0 && is_readable(context));
        return;
    }
    const int64_t until = tti_clock_ns() + PATIENCE_NS;
    do {
        EXPECT(tutti_stream_process(context, 0) == 0);
        EXPECT(tti_clock_ns() < until);
    } while (is_readable(context));
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &mine, address);
    const pid_t child = ends_start(far_end, address);
    ends_until(context, &mine.opened, "a connection");
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        ends_send_all(context, &mine, round * MESSAGES);
        EXPECT(tutti_stream_flush(mine.stream) == 0);
        look_until(context, &mine, round * MESSAGES - (round % 2 == 0 ? 0 : MESSAGES / 2));
        ends_until_messages(context, &mine, round * MESSAGES);
        expect_to_and_fro(context);
    }
    ends_close(context, &mine);
    EXPECT(mine.code == 0);
    EXPECT(tutti_stream_poll(NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    ends_join(child);
    return 0;
}

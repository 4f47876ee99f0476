/* SPDX-License-Identifier: BSD-3-Clause */
/* Small messages share network operations: how many do, and when they leave. What the receiver makes of
 * them: stream_apart.c. */
#include <string.h>

#include "runtime/base/clock.h"
#include "tests/streams/pair.h"

#define FAR_MESSAGES 20000

static void look_around(pair *both)
{
    for (int i = 0; i < 50; i++)
        EXPECT(tutti_stream_process(both->context, 0) >= 0);
}

static void leaves_by_a_flush(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = NEVER});
    EXPECT(tutti_stream_timeout(both.context) == -1);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && pair_operations == 0);
    pair_send(&both, 10);
    const int timeout = tutti_stream_timeout(both.context);
    EXPECT(timeout > 0 && timeout <= NEVER);
    look_around(&both);
    EXPECT(pair_operations == 0 && both.near.messages == 0);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && pair_operations == 1);
    EXPECT(tutti_stream_timeout(both.context) == -1);
    EXPECT(tutti_stream_flush(both.far.stream) == 0 && pair_operations == 1);
    ends_until_messages(both.context, &both.near, 10);
    EXPECT(tutti_stream_flush(NULL) == TUTTI_ERR_ARG);
    pair_send(&both, 3); /* and by a close */
    pair_close(&both);
    EXPECT(pair_operations == 2 && both.near.messages == 13 && both.near.code == 0);
}

static void leaves_by_its_deadline(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = 30});
    const int64_t begin = tti_clock_ns();
    pair_send(&both, 10);
    ends_until_messages(both.context, &both.near, 10); /* waits as tutti_stream_timeout() says */
    EXPECT(tti_clock_ns() - begin >= 30 * INT64_C(1000000));
    EXPECT(pair_operations == 1);
    pair_close(&both);
}

/* Of two that wait, each leaves by its own deadline. */
static void deadlines_of_two(void)
{
    pair both;
    end other = {.most = 50};
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = 2});
    end first = both.near;
    both.near = (end){0};
    ends_connect(both.context, &other, both.address);
    for (uint64_t i = 1; i <= 20; i++) {
        EXPECT(ends_send(&other));
        ends_until_messages(both.context, &both.near, i);
    }
    EXPECT(first.messages == 0);
    ends_close(both.context, &other);
    ends_until(both.context, &both.near.closed, "the close");
    both.near = first;
    EXPECT(tutti_stream_abort(first.stream) == 0);
    pair_close(&both);
}

static void leaves_when_full(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .buffer_bytes = 1024, .credits = 100});
    both.near.unchecked = true;
    for (int i = 0; i < 20; i++) {
        void *data;
        size_t room;
        EXPECT(tutti_stream_get_buffer(both.far.stream, &data, &room) == 0 && room == 1024);
        memset(data, i, 200);
        EXPECT(tutti_stream_send_buffer(both.far.stream, data, 200) == 0);
    }
    EXPECT(pair_operations == 4); /* 216 bytes and 8 to fill up: four to an operation, the last four wait */
    pair_close(&both);
    EXPECT(both.near.messages == 20);
}

/* A long one goes by itself, at its place among the others; so does a short one that nothing follows. */
static void keeps_the_order(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .credits = 100});
    pair_send(&both, 5);
    both.far.most = 16000;
    while (both.far.sent % 50 != 48)
        pair_send(&both, 1);
    const int before = pair_operations;
    pair_send(&both, 1); /* of 16000 bytes */
    EXPECT(pair_operations > before);
    both.far.most = 50;
    pair_send(&both, 5);
    EXPECT(tutti_stream_flush(both.far.stream) == 0);
    ends_until_messages(both.context, &both.near, both.far.sent);
    pair_close(&both);
}

/* Nothing waits for company that cannot come: no credit, or no buffer, which another stream may have. */
static void leaves_when_nothing_more_can_come(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = NEVER, .credits = 6, .send_buffers = 2});
    while (ends_send(&both.far))
        continue;
    EXPECT(both.far.sent == 6 && pair_operations == 1);
    ends_until_messages(both.context, &both.near, 6);
    end other = {.most = 50};
    both.near.unchecked = true;
    ends_connect(both.context, &other, both.address);
    pair_send(&both, 1); /* takes a buffer, and waits */
    EXPECT(pair_operations == 1);
    EXPECT(ends_send(&other)); /* the other one */
    EXPECT(!ends_send(&other) && pair_operations == 2);
    ends_until(both.context, &other.ready, "a buffer");
    EXPECT(tutti_stream_abort(other.stream) == 0);
    ends_until(both.context, &other.closed, "the end");
    EXPECT(tutti_stream_abort(both.far.stream) == 0);
    ends_until(both.context, &both.far.closed, "the end");
    EXPECT(tutti_stream_context_destroy(&both.context) == 0);
}

static void far_end(const char *address)
{
    tutti_stream_options options = {.buffer_bytes = 4096, .credits = 200, .coalesce_ms = 1};
    tutti_stream_context *context = ends_context(&options);
    end mine = {.most = 300};
    ends_connect(context, &mine, address);
    ends_send_all(context, &mine, FAR_MESSAGES);
    ends_until_messages(context, &mine, FAR_MESSAGES);
    ends_close(context, &mine);
    EXPECT(mine.code == 0 && mine.messages == FAR_MESSAGES);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* Two processes, both ways at a time, one with fewer buffers than the other has credits. */
static void between_processes(void)
{
    tutti_stream_options options = {.buffer_bytes = 3000, .credits = 50, .send_buffers = 3};
    tutti_stream_context *context = ends_context(&options);
    end mine = {.most = 300};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &mine, address);
    const pid_t child = ends_start(far_end, address);
    ends_until(context, &mine.opened, "a connection");
    ends_send_all(context, &mine, FAR_MESSAGES);
    ends_until(context, &mine.closed, "the close");
    EXPECT(mine.code == 0 && mine.messages == FAR_MESSAGES);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    ends_join(child);
}

/* By default a lone message does not wait, but those that follow it wait for it to leave, and share then. */
static void leaves_at_once_by_default(void)
{
    pair both;
    pair_open(&both, NULL);
    pair_send(&both, 1);
    EXPECT(pair_operations == 1 && tutti_stream_timeout(both.context) == -1);
    pair_send(&both, 5);
    const int timeout = tutti_stream_timeout(both.context);
    EXPECT(pair_operations == 1 && timeout >= 0 && timeout <= 1);
    ends_until_messages(both.context, &both.near, 6);
    EXPECT(pair_operations == 2);
    for (uint64_t i = 7; i <= 12; i++) { /* as requests whose answers are awaited */
        pair_send(&both, 1);
        EXPECT(pair_operations == (int)i - 4);
        ends_until_messages(both.context, &both.near, i);
    }
    pair_close(&both);
    EXPECT(both.near.messages == 12);
}

/* By option each message is an operation of its own. */
static void uncoalesced(void)
{
    pair both;
    pair_open(&both, &(tutti_stream_options){.coalesce_ms = -1});
    pair_send(&both, 10);
    EXPECT(pair_operations == 10 && tutti_stream_timeout(both.context) == -1);
    ends_until_messages(both.context, &both.near, 10);
    pair_close(&both);
    tutti_stream_context *context;
    EXPECT(tutti_stream_context_create(&context, &(tutti_stream_options){.coalesce_ms = -2}) ==
           TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "coalesce_ms") != NULL);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    leaves_by_a_flush();
    leaves_by_its_deadline();
    deadlines_of_two();
    leaves_when_full();
    keeps_the_order();
    leaves_when_nothing_more_can_come();
    leaves_at_once_by_default();
    uncoalesced();
    between_processes();
    return 0;
}

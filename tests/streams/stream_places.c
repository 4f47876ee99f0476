/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream that has ended gives its place to the next at once: to who connects in its on_closed, and to who
 * knocks before the listener has seen that the one before is gone. */
#include "runtime/base/clock.h"
#include "streams/stream_state.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

static const tutti_stream_options one_place = {.max_streams = 1};

static char address[80];
static end near, again;

static void join(tutti_stream_context *context, end *mine)
{
    const tutti_stream_callbacks callbacks = ends_callbacks(mine);
    tutti_stream *stream;
    *mine = (end){0};
    EXPECT(tutti_stream_connect(context, address, &callbacks, &stream) == 0);
}

/* Until it is open, which must not fail. */
static void until_open(tutti_stream_context *here, tutti_stream_context *there, const end *far)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (!far->opened) {
        EXPECT(tutti_stream_process(here, 0) >= 0 && tutti_stream_process(there, 0) >= 0);
        EXPECT(!far->closed && tti_clock_ns() < end_ns); /* else no progress */
    }
}

static void connect_again(tutti_stream *stream, int code, const char *why, void *user)
{
    end *mine = user;
    (void)why;
    EXPECT(code == 0);
    mine->closed = true;
    join(tutti_stream_data(stream), &again);
}

/* The place of who is told so is free. */
static void from_on_closed(void)
{
    tutti_stream_context *here = ends_context(NULL), *there = ends_context(&one_place);
    end far = {0};
    tutti_stream_callbacks callbacks = ends_callbacks(&far);
    tutti_stream *stream;
    ends_listen(here, &near, address);
    callbacks.on_closed = connect_again;
    EXPECT(tutti_stream_connect(there, address, &callbacks, &stream) == 0);
    tutti_stream_set_data(stream, there);
    until_open(here, there, &far);
    EXPECT(tutti_stream_close(stream) == 0);
    ends_until_both(here, there, &far.closed);
    until_open(here, there, &again);
    EXPECT(tutti_stream_context_destroy(&there) == 0 && tutti_stream_context_destroy(&here) == 0);
}

static void agree_to_close(tutti_stream_context *here, tutti_stream_context *there, const end *far)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (!far->closed) {
        if (near.stream != NULL && !near.stream->bye_left) EXPECT(tutti_stream_process(here, 0) >= 0);
        EXPECT(tutti_stream_process(there, 0) >= 0 && tti_clock_ns() < end_ns); /* else no progress */
    }
}

/* The listener has only said that it agrees to the close when the next one knocks. */
static void while_the_listener_sleeps(void)
{
    tutti_stream_context *here = ends_context(&one_place), *there = ends_context(NULL);
    end far;
    near = (end){0};
    ends_listen(here, &near, address);
    join(there, &far);
    until_open(here, there, &far);
    ends_until_both(here, there, &near.opened);
    EXPECT(tutti_stream_close(far.stream) == 0);
    agree_to_close(here, there, &far);
    join(there, &far);
    for (int i = 0; i < 3; i++) /* its knock is at the listener then, as a rule */
        EXPECT(tutti_stream_process(there, 0) >= 0);
    until_open(here, there, &far);
    EXPECT(!near.refused);
    EXPECT(tutti_stream_context_destroy(&there) == 0 && tutti_stream_context_destroy(&here) == 0);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    from_on_closed();
    while_the_listener_sleeps();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What a peer says first is heard, also where the word that the connection has come about lies behind more
 * others in the event queue than are read at a time. */
#include "runtime/base/clock.h"
#include "streams/stream_state.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define MANY 100

static void say_at_once(tutti_stream *stream, void *user)
{
    end *mine = user;
    mine->stream = stream;
    mine->opened = true;
    mine->streams++;
    EXPECT(ends_send(mine));
}

/* libfabric looks, so that there are words in its queue, and nobody reads them. */
static void look(tutti_stream_context *context)
{
    uint8_t event[512];
    uint32_t kind;
    fi_eq_read(context->events, &kind, event, sizeof event, FI_PEEK);
}

/* Connects to a listener at which the peer speaks first, and is connected to by many others besides. */
static tutti_stream_context *context, *other, *crowd;
static end out, there, near, knocking[MANY];

static void knock_everywhere(void)
{
    char address[80], elsewhere[80];
    tutti_stream *stream;
    tutti_stream_listener *listener;
    tutti_stream_callbacks callbacks = ends_callbacks(&there);
    ends_listen(context, &near, address);
    callbacks.on_open = say_at_once;
    EXPECT(tutti_stream_listen(other, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, elsewhere, sizeof elsewhere) == 0);
    callbacks = ends_callbacks(&out);
    EXPECT(tutti_stream_connect(context, elsewhere, &callbacks, &stream) == 0);
    for (int i = 0; i < MANY; i++) {
        callbacks = ends_callbacks(&knocking[i]);
        EXPECT(tutti_stream_connect(crowd, address, &callbacks, &stream) == 0);
        EXPECT(tutti_stream_process(crowd, 0) >= 0);
    }
    for (int i = 0; i < 3 * MANY; i++)
        look(context);
}

static void let_in_and_greet(void)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    for (int since = 0; since < MANY; since += there.opened) {
        EXPECT(tutti_stream_process(other, 0) >= 0 && tti_clock_ns() < end_ns); /* else no progress */
        look(context);
    }
}

static void hear(void)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (out.messages == 0) {
        EXPECT(tutti_stream_process(context, 0) >= 0);
        EXPECT(!out.closed && tti_clock_ns() < end_ns);
    }
    for (int i = 0; i < MANY; i++)
        ends_until_both(context, crowd, &knocking[i].opened);
    EXPECT(out.opened && !there.closed && near.streams == MANY);
}

int main(int argc, char **argv)
{
    const tutti_stream_options many = {.max_streams = MANY + 1, .max_half_open = MANY};
    ends_setup(argc, argv);
    context = ends_context(&many);
    other = ends_context(NULL);
    crowd = ends_context(&many);
    knock_everywhere();
    let_in_and_greet();
    hear();
    EXPECT(tutti_stream_context_destroy(&context) == 0 && tutti_stream_context_destroy(&other) == 0);
    EXPECT(tutti_stream_context_destroy(&crowd) == 0);
    return 0;
}

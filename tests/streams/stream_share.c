/* SPDX-License-Identifier: BSD-3-Clause */
/* Connecting to the same peer twice is one connection, which the last close drains; other callbacks, another
 * address, or the option to that end make another one. */
#include <string.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

#define MESSAGES 500

static int opens, closes; /* calls of on_open and on_closed on the connecting side */

static void count_open(tutti_stream *stream, void *user)
{
    end *mine = user;
    mine->stream = stream;
    mine->opened = ++opens == 2;
}

static void count_close(tutti_stream *stream, int code, const char *why, void *user)
{
    end *mine = user;
    (void)stream;
    (void)why;
    closes++;
    mine->closed = true;
    mine->code = code;
}

static tutti_stream_callbacks counting(end *mine)
{
    tutti_stream_callbacks callbacks = ends_callbacks(mine);
    callbacks.on_open = count_open;
    callbacks.on_closed = count_close;
    return callbacks;
}

typedef struct {
    tutti_stream_context *here, *there;
    tutti_stream_listener *listener;
    end near, far; /* of the listener; of who connects */
    char address[80];
} pair;

static void set_up(pair *both, int own_connections)
{
    const tutti_stream_options options = {.own_connections = own_connections};
    memset(both, 0, sizeof *both);
    both->here = ends_context(NULL);
    both->there = ends_context(&options);
    both->listener = ends_listen(both->here, &both->near, both->address);
    opens = closes = 0;
}

static void tear_down(pair *both)
{
    EXPECT(tutti_stream_listener_close(&both->listener) == 0);
    EXPECT(tutti_stream_context_destroy(&both->here) == 0 && tutti_stream_context_destroy(&both->there) == 0);
}

static tutti_stream *join(pair *both)
{
    const tutti_stream_callbacks callbacks = counting(&both->far);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(both->there, both->address, &callbacks, &stream) == 0);
    return stream;
}

static void turn(pair *both, int64_t end_ns)
{
    EXPECT(tutti_stream_process(both->here, 0) >= 0 && tutti_stream_process(both->there, 0) >= 0);
    EXPECT(tti_clock_ns() < end_ns); /* else no progress */
}

static void until(pair *both, const int *number, int wanted)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (*number < wanted)
        turn(both, end_ns);
    EXPECT(*number == wanted);
}

static void send_until(pair *both, uint64_t count)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (both->far.sent < count) {
        ends_send(&both->far);
        turn(both, end_ns);
    }
}

/* `later`: the second connect comes when the first is open. */
static void shared(bool later)
{
    pair both;
    set_up(&both, 0);
    tutti_stream *first = join(&both);
    if (later) until(&both, &opens, 1);
    EXPECT(join(&both) == first);
    ends_until_both(both.here, both.there, &both.far.opened);
    ends_until_both(both.here, both.there, &both.near.opened);
    EXPECT(opens == 2 && both.near.streams == 1);
    send_until(&both, MESSAGES);
    EXPECT(tutti_stream_close(first) == 0);
    send_until(&both, 2 * MESSAGES); /* the other one's */
    EXPECT(tutti_stream_close(first) == 0);
    void *data;
    size_t room;
    EXPECT(tutti_stream_get_buffer(first, &data, &room) == TUTTI_ERR_STATE);
    ends_until_both(both.here, both.there, &both.far.closed);
    ends_until_both(both.here, both.there, &both.near.closed);
    EXPECT(both.near.messages == 2 * MESSAGES && both.near.code == 0 && both.far.code == 0);
    EXPECT(opens == 2 && closes == 1);
    tear_down(&both);
}

/* One that is closing serves nobody any more: the next connect is a new one. */
static void after_close(void)
{
    pair both;
    set_up(&both, 0);
    tutti_stream *first = join(&both);
    until(&both, &opens, 1);
    EXPECT(tutti_stream_close(first) == 0);
    EXPECT(join(&both) != first);
    ends_until_both(both.here, both.there, &both.far.opened);
    ends_until_both(both.here, both.there, &both.far.closed);
    EXPECT(both.far.code == 0 && closes == 1);
    tear_down(&both);
}

static void ended_for_all(void)
{
    pair both;
    set_up(&both, 0);
    tutti_stream *first = join(&both);
    EXPECT(join(&both) == first);
    EXPECT(tutti_stream_abort(first) == 0);
    ends_until_both(both.here, both.there, &both.far.closed);
    EXPECT(both.far.code == TUTTI_ERR_CANCELLED && closes == 1 && opens == 0);
    tear_down(&both);
}

static void own(void)
{
    pair both;
    set_up(&both, 1);
    EXPECT(join(&both) != join(&both));
    until(&both, &both.near.streams, 2);
    tear_down(&both);
}

static void others(void)
{
    pair both;
    end other = {0};
    char address[80];
    tutti_stream *stream, *one;
    set_up(&both, 0);
    tutti_stream_listener *listener = ends_listen(both.here, &both.near, address);
    const tutti_stream_callbacks callbacks = counting(&other), same = counting(&both.far);
    one = join(&both);
    EXPECT(tutti_stream_connect(both.there, both.address, &callbacks, &stream) == 0 && stream != one);
    EXPECT(tutti_stream_connect(both.there, address, &same, &stream) == 0 && stream != one);
    until(&both, &both.near.streams, 3);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    tear_down(&both);
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    shared(false);
    shared(true);
    after_close();
    ended_for_all();
    own();
    others();
    return 0;
}

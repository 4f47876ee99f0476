/* SPDX-License-Identifier: BSD-3-Clause */
/* What a peer says last is heard, whenever its connection is found to be gone, and whatever became of the
 * stream meanwhile. */
#include <rdma/fi_errno.h>

#include "runtime/base/clock.h"
#include "streams/stream_state.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

/* Its stream ends while a BYE lies behind the message: as where this side finds that it cannot send. */
static void end_at_message(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    (void)data, (void)bytes;
    ((end *)user)->messages++;
    tti_stream_end(stream, TUTTI_ERR_PEER_FAILED, "for this test");
}

/* Both ends of a stream, in a context each. */
static tutti_stream_context *near, *far;
static tutti_stream_listener *listener;
static end mine, theirs;

static void open_both(void (*on_message)(tutti_stream *stream, void *data, size_t bytes, void *user))
{
    near = ends_context(NULL);
    far = ends_context(NULL);
    mine = theirs = (end){0};
    char address[80];
    tutti_stream_callbacks callbacks = ends_callbacks(&mine);
    const tutti_stream_callbacks their_callbacks = ends_callbacks(&theirs);
    tutti_stream *stream;
    if (on_message != NULL) callbacks.on_message = on_message;
    EXPECT(tutti_stream_listen(near, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    EXPECT(tutti_stream_connect(far, address, &their_callbacks, &stream) == 0);
    ends_until_both(near, far, &theirs.opened);
    ends_until_both(near, far, &mine.opened);
}

static void destroy_both(void)
{
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&near) == 0 && tutti_stream_context_destroy(&far) == 0);
}

/* The peer's BYE is handed out after the end, and leaves it at that. */
static void bye_after_end(void)
{
    open_both(end_at_message);
    tutti_stream *stream = theirs.stream;
    EXPECT(ends_send(&theirs) && tutti_stream_close(stream) == 0);
    ends_until(far, &stream->bye_left, "the last frame");
    ends_until(near, &mine.closed, "the end");
    EXPECT(mine.code == TUTTI_ERR_PEER_FAILED && mine.messages == 1 && near->live == 0);
    EXPECT(tti_list_empty(&near->timed));
    destroy_both();
}

static struct fi_ops_eq *real_events;

/* A look at the event queue within which the peer sends its last words, and its connection goes. */
static ssize_t read_at_the_end(struct fid_eq *events, uint32_t *event, void *data, size_t bytes,
                               uint64_t flags)
{
    ssize_t result;
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    const bool is_now = !theirs.closed;
    if (is_now) EXPECT(ends_send(&theirs) && tutti_stream_close(theirs.stream) == 0);
    if (is_now) ends_until(far, &theirs.closed, "the peer's end");
    while ((result = real_events->read(events, event, data, bytes, flags)) == -FI_EAGAIN && is_now) {
        EXPECT(tti_clock_ns() < end_ns);
        fi_cq_read(near->completions, NULL, 0); /* gets on, and reads nothing */
    }
    return result;
}

/* Both close, and the peer's BYE and the end of its connection are found in one look. */
static void all_at_once(void)
{
    open_both(NULL);
    struct fi_ops_eq ops = *(real_events = near->events->ops);
    ops.read = read_at_the_end;
    EXPECT(tutti_stream_close(mine.stream) == 0);
    near->events->ops = &ops;
    ends_until(near, &mine.closed, "the end");
    near->events->ops = real_events;
    if (mine.code != 0) fprintf(stderr, "%d: %s\n", mine.code, mine.why);
    EXPECT(mine.code == 0 && mine.messages == 1);
    destroy_both();
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    bye_after_end();
    all_at_once();
    return 0;
}

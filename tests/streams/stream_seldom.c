/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that look so seldom that each time a deadline is over, though nobody was late: connecting, the
 * handshake and closing come about all the same. */
#include "runtime/base/clock.h"
#include "streams/stream_state.h"
#include "tests/patience.h"
#include "tests/streams/ends.h"

/* When the deadlines were over that the context had at its last look. */
static int64_t over;

/* A look after so long that all deadlines of the context have just passed. */
static void look_late(tutti_stream_context *context)
{
    over = tti_clock_ns();
    for (tti_link *at = context->timed.next; at != &context->timed; at = at->next)
        TTI_OWNER(at, tutti_stream, timed)->deadline = over;
    EXPECT(tutti_stream_process(context, 0) >= 0);
}

/* Each answer has a time of its own: the one that says that the peer knows the secret, too. */
static bool proves(const tutti_stream *stream)
{
    if (stream->phase != TTI_STREAM_PROVING) return false;
    EXPECT(stream->deadline > over);
    return true;
}

static void connect_late(tutti_stream_context *here, tutti_stream_context *there, end *near, end *far)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    const tutti_stream_callbacks callbacks = ends_callbacks(far);
    char address[80];
    tutti_stream *stream;
    bool proved = false;
    ends_listen(here, near, address);
    EXPECT(tutti_stream_connect(there, address, &callbacks, &stream) == 0);
    while (!far->opened || !near->opened) {
        look_late(there);
        EXPECT(!far->closed);
        proved = proved || proves(stream);
        look_late(here);
        EXPECT(!near->refused && tti_clock_ns() < end_ns); /* else no progress */
    }
    EXPECT(proved == (there->secret != NULL));
}

static void close_late(tutti_stream_context *here, tutti_stream_context *there, const end *near,
                       const end *far)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    EXPECT(tutti_stream_close(far->stream) == 0);
    while (!far->closed || !near->closed) {
        look_late(here);
        look_late(there);
        EXPECT(tti_clock_ns() < end_ns); /* else no progress */
    }
    EXPECT(far->code == 0 && near->code == 0);
}

static void is_never_late(const tutti_stream_options *options)
{
    tutti_stream_context *here = ends_context(options), *there = ends_context(options);
    end near = {0}, far = {0};
    connect_late(here, there, &near, &far);
    close_late(here, there, &near, &far);
    EXPECT(tutti_stream_context_destroy(&here) == 0 && tutti_stream_context_destroy(&there) == 0);
}

int main(int argc, char **argv)
{
    static const char secret[] = "the secret of this test";
    const tutti_stream_options guarded = {.secret = secret, .secret_bytes = sizeof secret};
    ends_setup(argc, argv);
    is_never_late(NULL);
    is_never_late(&guarded);
    return 0;
}

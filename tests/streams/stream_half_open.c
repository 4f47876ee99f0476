/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is let in and does not prove that it knows the secret: says nothing, sends at once, proves with what it
 * made up or with what it heard. None becomes a stream; their number and their time are bounded. */
#include <string.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/streams/stranger.h"

#define MOST 3
#define MORE 60 /* than are read from the completion queue at a time */

static const char secret[] = "the secret of this test";

static const tti_hello guarded = {.version = TTI_STREAM_VERSION,
                                  .guarded = true,
                                  .buffer_bytes = 4096,
                                  .credits = 4,
                                  .token = 1,
                                  .nonce = "fifteen letters"};

/* Lets it in, and what it says next is in `frame`. */
static void intrude(stranger *one, tutti_stream_context *context, const char *address, tti_hello *answer)
{
    uint8_t words[TTI_HELLO_BYTES];
    tti_hello_write(&guarded, words);
    EXPECT(stranger_knock(one, context, address, words, sizeof words, answer));
    EXPECT(answer->guarded);
}

static void send_all(stranger *one, tutti_stream_context *context, const uint8_t *text, size_t bytes)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (fi_send(one->endpoint, text, bytes, NULL, FI_ADDR_UNSPEC, NULL) == -FI_EAGAIN)
        EXPECT(tti_clock_ns() < end_ns && tutti_stream_process(context, 0) >= 0); /* else it is cut off */
}

/* The frame, a message behind it in the same operation, and one in each of some more: of these the listener
 * reads the last after its denial has left, with which the stream ends. */
static void say(stranger *one, tutti_stream_context *context, const tti_frame *frame)
{
    static uint8_t text[2 * TTI_FRAME_HEAD + 64 + 8];
    const tti_frame message = {.token = frame->token, .kind = TTI_FRAME_MESSAGE, .bytes = 8};
    const size_t at = tti_frame_fill(TTI_FRAME_HEAD + (size_t)frame->bytes), whole = TTI_FRAME_HEAD + 8;
    memset(text, 0, sizeof text);
    tti_frame_write(frame, text);
    tti_frame_write(&message, text + at);
    send_all(one, context, text, at + whole);
    for (int i = 0; i < MORE; i++)
        send_all(one, context, text + at, whole);
}

static void expect_refused(tutti_stream_context *context, end *near, int code)
{
    ends_until_both(context, context, &near->refused);
    if (near->code != code) fprintf(stderr, "%d (%s), wanted %d\n", near->code, near->why, code);
    EXPECT(near->code == code && !near->opened && !near->closed && near->messages == 0);
    near->refused = false;
}

/* A frame in place of a proof ends it; so does a proof that is none. */
static void made_up(tutti_stream_context *context, end *near, const char *address)
{
    const tti_frame frames[] = {{.kind = TTI_FRAME_MESSAGE, .bytes = 8},
                                {.kind = TTI_FRAME_CREDIT, .credits = 1},
                                {.kind = TTI_FRAME_BYE},
                                {.kind = TTI_FRAME_DENIAL},
                                {.kind = TTI_FRAME_PROOF, .bytes = TTI_PROOF_BYTES}};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        stranger one = {0};
        tti_hello answer;
        intrude(&one, context, address, &answer);
        tti_frame frame = frames[i];
        frame.token = answer.token;
        say(&one, context, &frame);
        expect_refused(context, near, frame.kind == TTI_FRAME_PROOF ? TUTTI_ERR_DENIED : TUTTI_ERR_FABRIC);
        stranger_leave(&one);
    }
}

/* The listener's answers differ each time, so that no proof which was heard fits a second time. */
static void answers_differ(tutti_stream_context *context, end *near, const char *address)
{
    stranger one = {0}, other = {0};
    tti_hello first, second;
    intrude(&one, context, address, &first);
    intrude(&other, context, address, &second);
    EXPECT(memcmp(first.nonce, second.nonce, sizeof first.nonce) != 0 && first.token != second.token);
    stranger_leave(&one);
    expect_refused(context, near, TUTTI_ERR_PEER_FAILED);
    stranger_leave(&other);
    expect_refused(context, near, TUTTI_ERR_PEER_FAILED);
}

/* One more than may be half-open is refused at once; when the others' time is over there is room again. */
static void silent(const char *address, tutti_stream_context *context, end *near)
{
    stranger some[MOST] = {{0}}, more = {0};
    tti_hello answer;
    uint8_t words[TTI_HELLO_BYTES];
    for (int i = 0; i < MOST; i++)
        intrude(&some[i], context, address, &answer);
    tti_hello_write(&guarded, words);
    EXPECT(!stranger_knock(&more, context, address, words, sizeof words, &answer));
    EXPECT(answer.refusal == TTI_REFUSAL_FULL);
    expect_refused(context, near, TUTTI_ERR_LIMIT);
    EXPECT(strstr(near->why, "max_half_open") != NULL);
    stranger_leave(&more);
    for (int i = 0; i < MOST; i++)
        stranger_leave(&some[i]);
}

static tutti_stream_context *listen_with(int timeout_ms, end *near, char address[80])
{
    const tutti_stream_options options = {.secret = secret,
                                          .secret_bytes = sizeof secret,
                                          .max_half_open = MOST,
                                          .handshake_timeout_ms = timeout_ms};
    tutti_stream_context *context = ends_context(&options);
    ends_listen(context, near, address);
    return context;
}

static void stranger_is_late(void)
{
    end near = {0};
    char address[80];
    tutti_stream_context *context = listen_with(50, &near, address);
    stranger one = {0};
    tti_hello answer;
    intrude(&one, context, address, &answer);
    EXPECT(near.refused || tutti_stream_timeout(context) >= 0);
    ends_until(context, &near.refused, "the end of a handshake's time");
    EXPECT(near.code == TUTTI_ERR_TIMEOUT && strstr(near.why, "handshake_timeout_ms") != NULL);
    stranger_leave(&one);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

int main(void)
{
    end near = {0};
    char address[80];
    tutti_stream_context *context = listen_with(1000000, &near, address);
    made_up(context, &near, address);
    answers_differ(context, &near, address);
    silent(address, context, &near);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    EXPECT(!near.opened && !near.closed);
    stranger_is_late();
    return 0;
}

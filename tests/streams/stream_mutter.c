/* SPDX-License-Identifier: BSD-3-Clause */
/* Strangers who are let in, know what frames to the listener must bear, and then say what comes into their
 * heads: frames of all kinds with any lengths and credits, one or several to an operation, whole and cut off,
 * before and after they ought to have proved a secret. Their streams end, or go on where it made sense;
 * streams of others beside them are not disturbed, and nothing is left over.
 *
 *   stream_mutter [VARIANT [SECONDS [SEED]]] */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "streams/stream_state.h"
#include "tests/descriptors.h"
#include "tests/patience.h"
#include "tests/streams/stranger.h"

#define ROOM 1024
#define OPERATIONS 12 /* of a stranger, at most */
#define HELD_MOST 40

static const char secret[] = "the secret of this test";
static void *held[HELD_MOST];
static int holding;
static end near;

static unsigned draw(unsigned below)
{
    return (unsigned)rand() % below;
}

/* Now and then a message is kept, and given back later. */
static void take(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    uint32_t sum = 0;
    (void)user;
    for (size_t i = 0; i < bytes; i++)
        sum += ((uint8_t *)data)[i]; /* all of it can be read */
    if (holding < HELD_MOST && (sum ^ draw(4)) % 4 == 0 && tutti_stream_hold(stream, data) == 0)
        held[holding++] = data;
    void *room;
    size_t most;
    if (draw(3) == 0 && tutti_stream_get_buffer(stream, &room, &most) == 0)
        EXPECT(tutti_stream_send_buffer(stream, memset(room, 0, most), draw((unsigned)most + 1)) == 0);
}

static void give_back(tutti_stream_context *context, int count)
{
    while (holding > count)
        EXPECT(tutti_stream_release(context, held[--holding]) == 0);
}

/* Whole frames with something wrong now and then; the length of all. */
static size_t make_up(uint8_t *text, uint64_t token)
{
    size_t at = 0;
    for (unsigned left = 1 + draw(4); left > 0; left--) {
        const unsigned bytes = draw(3) == 0 ? 0 : draw(8) == 0 ? draw(70000) : draw(200);
        const tti_frame frame = {.token = draw(20) == 0 ? token + draw(3) : token,
                                 .kind = (uint8_t)(draw(3) == 0 ? draw(8) : TTI_FRAME_MESSAGE),
                                 .credits = (uint16_t)(draw(4) == 0    ? draw(6)
                                                       : draw(60) == 0 ? 65535
                                                                       : 0),
                                 .bytes = draw(6) == 0 ? TTI_PROOF_BYTES : bytes};
        tti_frame_write(&frame, text + at);
        const size_t after = at + tti_frame_fill(TTI_FRAME_HEAD + (size_t)frame.bytes);
        if (after > ROOM) return at + TTI_FRAME_HEAD + draw(1 + ROOM - (unsigned)at);
        at = after;
    }
    return draw(4) == 0 ? at - draw(17) : at; /* zeros at the end are no frame */
}

static void mutter(stranger *one, tutti_stream_context *context, uint64_t token)
{
    static uint8_t text[OPERATIONS][ROOM + 2 * TTI_FRAME_HEAD];
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    for (unsigned i = 0, count = draw(OPERATIONS + 1); i < count; i++) {
        for (size_t k = 0; k < sizeof text[i]; k++)
            text[i][k] = (uint8_t)rand();
        const size_t bytes = make_up(text[i], token);
        ssize_t result;
        while ((result = fi_send(one->endpoint, text[i], bytes, NULL, FI_ADDR_UNSPEC, NULL)) == -FI_EAGAIN)
            EXPECT(tti_clock_ns() < end_ns && tutti_stream_process(context, 0) >= 0);
        if (result != 0) return; /* it is cut off already */
        if (draw(2) == 0) EXPECT(tutti_stream_process(context, (int)draw(3)) >= 0);
    }
    struct fi_cq_entry done[OPERATIONS];
    for (int i = 0; i < 20; i++) {
        fi_cq_read(one->completions, done, OPERATIONS); /* makes progress */
        EXPECT(tutti_stream_process(context, 0) >= 0);
    }
}

static void one_stranger(tutti_stream_context *context, const char *address, bool guarded)
{
    tti_hello hello = {.version = TTI_STREAM_VERSION,
                       .guarded = guarded,
                       .buffer_bytes = TTI_STREAM_BUFFER_LEAST + draw(2000),
                       .credits = 1 + draw(20),
                       .token = (uint64_t)rand()};
    tti_hello answer;
    uint8_t words[TTI_HELLO_BYTES];
    stranger one = {0};
    tti_hello_write(&hello, words);
    EXPECT(stranger_knock(&one, context, address, words, sizeof words, &answer));
    mutter(&one, context, answer.token);
    stranger_leave(&one);
}

static void a_friend(tutti_stream_context *context, const char *address)
{
    tutti_stream_context *own =
        ends_context(&(tutti_stream_options){.secret = context->secret != NULL ? secret : NULL,
                                             .secret_bytes = context->secret != NULL ? sizeof secret : 0});
    end far = {.most = 100, .unchecked = true};
    const tutti_stream_callbacks callbacks = ends_callbacks(&far);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(own, address, &callbacks, &stream) == 0);
    ends_until_both(context, own, &far.opened);
    for (int i = 0; i < 5; i++)
        EXPECT(ends_send(&far));
    EXPECT(tutti_stream_close(stream) == 0);
    ends_until_both(context, own, &far.closed);
    EXPECT(far.code == 0);
    EXPECT(tutti_stream_context_destroy(&own) == 0);
}

static void until_gone(tutti_stream_context *context)
{
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (context->live > 0)
        EXPECT(tti_clock_ns() < end_ns && tutti_stream_process(context, 0) >= 0); /* else it stays */
}

static long listen_to(bool guarded, int64_t until)
{
    tutti_stream_context *context =
        ends_context(&(tutti_stream_options){.secret = guarded ? secret : NULL,
                                             .secret_bytes = guarded ? sizeof secret : 0,
                                             .buffer_bytes = ROOM,
                                             .credits = 6,
                                             .max_streams = 4});
    tutti_stream_callbacks callbacks = ends_callbacks(&near);
    char address[80];
    tutti_stream_listener *listener;
    callbacks.on_message = take;
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    a_friend(context, address);
    until_gone(context);
    const int descriptors = count_descriptors();
    long strangers = 0;
    for (; tti_clock_ns() < until; strangers++) {
        one_stranger(context, address, guarded);
        give_back(context, (int)draw(HELD_MOST));
        until_gone(context);
        if (strangers % 8 == 0) a_friend(context, address);
    }
    until_gone(context);
    give_back(context, 0);
    EXPECT(context->held_orphan == 0 && near.streams == 0 && count_descriptors() == descriptors);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return strangers;
}

int main(int argc, char **argv)
{
    const int64_t half = (argc > 2 ? atoi(argv[2]) : 2) * INT64_C(500000000);
    ends_setup(argc > 2 ? 2 : argc, argv);
    srand(argc > 3 ? (unsigned)atoi(argv[3]) : 1);
    const long plain = listen_to(false, tti_clock_ns() + half);
    printf("%ld strangers, %ld at a listener with a secret\n", plain, listen_to(true, tti_clock_ns() + half));
    return 0;
}

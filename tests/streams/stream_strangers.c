/* SPDX-License-Identifier: BSD-3-Clause */
/* Who speaks libfabric and no stream, or another version of one, on either side: told apart and told so. */
#include <string.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/streams/stranger.h"

/* The refusal that a stream's listener answers to `words`. */
static uint8_t knock(tutti_stream_context *context, const char *address, const void *words, size_t bytes)
{
    stranger one = {0};
    tti_hello hello;
    EXPECT(!stranger_knock(&one, context, address, words, bytes, &hello));
    stranger_leave(&one);
    return hello.refusal;
}

static tti_hello of_version(int version)
{
    return (tti_hello){.version = (uint16_t)version, .buffer_bytes = 4096, .credits = 4, .token = 1};
}

static void strangers_knock(void)
{
    tutti_stream_context *context = ends_context(NULL);
    end near = {0};
    char address[80];
    uint8_t words[TTI_HELLO_BYTES];
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    const tti_hello other = of_version(TTI_STREAM_VERSION + 1), none = {.version = TTI_STREAM_VERSION};
    EXPECT(knock(context, address, "hello there", 11) == TTI_REFUSAL_NOT_A_STREAM);
    EXPECT(knock(context, address, NULL, 0) == TTI_REFUSAL_NOT_A_STREAM);
    tti_hello_write(&none, words);
    EXPECT(knock(context, address, words, sizeof words) == TTI_REFUSAL_NOT_A_STREAM);
    tti_hello_write(&other, words);
    EXPECT(knock(context, address, words, sizeof words) == TTI_REFUSAL_VERSION);
    EXPECT(!near.opened && !near.closed);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
}

/* Why somebody was refused stays readable, whatever the callback calls in between. */
static void refused(int code, const char *why, void *user)
{
    char words[512];
    snprintf(words, sizeof words, "%s", why);
    EXPECT(code == TUTTI_ERR_FABRIC && tutti_stream_flush(NULL) == TUTTI_ERR_ARG);
    EXPECT(strcmp(why, words) == 0);
    *(bool *)user = true;
}

static void why_stays(void)
{
    bool called = false;
    char address[80];
    tutti_stream_listener *listener;
    tutti_stream_context *context = ends_context(NULL);
    const tutti_stream_callbacks callbacks = {.on_refused = refused, .user = &called};
    EXPECT(tutti_stream_listen(context, "0", &callbacks, &listener) == 0);
    EXPECT(tutti_stream_listener_address(listener, address, sizeof address) == 0);
    EXPECT(knock(context, address, "hello there", 11) == TTI_REFUSAL_NOT_A_STREAM);
    EXPECT(called && tutti_stream_context_destroy(&context) == 0);
}

static void listen_as_stranger(stranger *one, char port[16])
{
    uint8_t name[128];
    size_t length = sizeof name;
    stranger_find(one, "0", FI_SOURCE);
    EXPECT(fi_passive_ep(one->fabric, one->info, &one->listener, NULL) == 0);
    EXPECT(fi_pep_bind(one->listener, &one->events->fid, 0) == 0 && fi_listen(one->listener) == 0);
    EXPECT(fi_getname(&one->listener->fid, name, &length) == 0);
    snprintf(port, 16, "%d", name[2] << 8 | name[3]); /* of a struct sockaddr_in */
}

/* Lets in with these words, or turns away with them. Returns what the stream wants frames to it to bear. */
static uint64_t answer_knock(stranger *one, tutti_stream_context *context, const tti_hello *answer,
                             bool accepts)
{
    union {
        struct fi_eq_cm_entry entry;
        uint8_t bytes[512];
    } event;
    uint32_t kind;
    uint8_t words[TTI_HELLO_BYTES];
    tti_hello hello;
    ssize_t bytes;
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while ((bytes = fi_eq_read(one->events, &kind, &event, sizeof event, 0)) <= 0)
        EXPECT(tti_clock_ns() < end_ns && tutti_stream_process(context, 0) >= 0);
    EXPECT(kind == FI_CONNREQ);
    EXPECT(tti_hello_read(&hello, event.entry.data, (size_t)bytes - sizeof event.entry, "the stream") == 0);
    tti_hello_write(answer, words);
    if (accepts) stranger_make_endpoint(one, event.entry.info);
    EXPECT((accepts ? fi_accept(one->endpoint, words, sizeof words)
                    : fi_reject(one->listener, event.entry.info->handle, words, sizeof words)) == 0);
    one->library->freeinfo(event.entry.info);
    return hello.token;
}

/* What has no meaning, in place of a proof, once the connection has come about; and in the same operation a
 * message, which nobody is to hear. */
static void lie(stranger *one, uint64_t token, uint8_t kind)
{
    static uint8_t text[2 * TTI_FRAME_HEAD + TTI_PROOF_BYTES + 8];
    const tti_frame frame = {
        .token = token, .kind = kind, .bytes = kind == TTI_FRAME_PROOF ? TTI_PROOF_BYTES : 0};
    const tti_frame message = {.token = token, .kind = TTI_FRAME_MESSAGE, .bytes = 8};
    const size_t at = tti_frame_fill(TTI_FRAME_HEAD + (size_t)frame.bytes);
    tti_frame_write(&frame, text);
    tti_frame_write(&message, text + at);
    EXPECT(fi_send(one->endpoint, text, at + TTI_FRAME_HEAD + message.bytes, NULL, FI_ADDR_UNSPEC, NULL) ==
           0);
}

/* How it ends for a stream to be answered so, and then, if `lies` is no 0, sent a frame of that kind. */
static int knock_at_stranger(const char *secret, const tti_hello *answer, bool accepts, uint8_t lies)
{
    stranger one = {0};
    char port[16];
    listen_as_stranger(&one, port);
    const tutti_stream_options options = {.secret = secret,
                                          .secret_bytes = secret != NULL ? strlen(secret) : 0};
    tutti_stream_context *context = ends_context(&options);
    end mine = {0};
    const tutti_stream_callbacks callbacks = ends_callbacks(&mine);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(context, port, &callbacks, &stream) == 0);
    const uint64_t token = answer_knock(&one, context, answer, accepts);
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (!mine.closed) {
        struct fi_eq_cm_entry entry;
        struct fi_cq_entry completion;
        uint32_t kind;
        EXPECT(tti_clock_ns() < end_ns && tutti_stream_process(context, 0) >= 0);
        const bool connected =
            fi_eq_read(one.events, &kind, &entry, sizeof entry, 0) > 0 && kind == FI_CONNECTED;
        if (connected && lies != 0) lie(&one, token, lies);
        fi_cq_read(one.completions, &completion, 1); /* makes progress */
    }
    EXPECT(!mine.opened && mine.messages == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    stranger_leave(&one);
    return mine.code;
}

/* A listener that does not know the secret does not get a stream to open. */
static void impostors(void)
{
    static const char secret[] = "what the impostor does not know";
    tti_hello open_to_all = of_version(TTI_STREAM_VERSION), guarded = open_to_all;
    guarded.guarded = true;
    const tti_hello refusal = {.version = TTI_STREAM_VERSION, .refusal = TTI_REFUSAL_SECRET};
    EXPECT(knock_at_stranger(secret, &open_to_all, true, 0) == TUTTI_ERR_DENIED);
    EXPECT(knock_at_stranger(secret, &refusal, false, 0) == TUTTI_ERR_DENIED);
    EXPECT(knock_at_stranger(NULL, &guarded, true, 0) == TUTTI_ERR_DENIED);
    EXPECT(knock_at_stranger(secret, &guarded, true, TTI_FRAME_PROOF) == TUTTI_ERR_DENIED);
    EXPECT(knock_at_stranger(secret, &guarded, true, TTI_FRAME_DENIAL) == TUTTI_ERR_DENIED);
    EXPECT(knock_at_stranger(secret, &guarded, true, TTI_FRAME_CREDIT) == TUTTI_ERR_FABRIC);
}

int main(void)
{
    strangers_knock();
    why_stays();
    impostors();
    const tti_hello other = of_version(TTI_STREAM_VERSION + 1), refusal = of_version(TTI_STREAM_VERSION);
    tti_hello full = {.version = TTI_STREAM_VERSION, .refusal = TTI_REFUSAL_FULL}, bad = refusal;
    bad.credits = 0;
    EXPECT(knock_at_stranger(NULL, &other, true, 0) == TUTTI_ERR_VERSION);
    EXPECT(knock_at_stranger(NULL, &other, false, 0) == TUTTI_ERR_VERSION);
    EXPECT(knock_at_stranger(NULL, &bad, true, 0) == TUTTI_ERR_FABRIC);
    EXPECT(knock_at_stranger(NULL, &full, false, 0) == TUTTI_ERR_LIMIT);
    full.refusal = TTI_REFUSAL_VERSION;
    EXPECT(knock_at_stranger(NULL, &full, false, 0) == TUTTI_ERR_VERSION);
    full.refusal = TTI_REFUSAL_NOT_A_STREAM;
    EXPECT(knock_at_stranger(NULL, &full, false, 0) == TUTTI_ERR_REFUSED);
    return 0;
}

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

/* Lets a stream in with these words, or turns it away with them, and tells how that ends for the stream. */
static int knock_at_stranger(const tti_hello *answer, bool accepts)
{
    stranger one = {0};
    stranger_find(&one, "0", FI_SOURCE);
    EXPECT(fi_passive_ep(one.fabric, one.info, &one.listener, NULL) == 0);
    EXPECT(fi_pep_bind(one.listener, &one.events->fid, 0) == 0 && fi_listen(one.listener) == 0);
    uint8_t name[128], words[TTI_HELLO_BYTES];
    size_t length = sizeof name;
    EXPECT(fi_getname(&one.listener->fid, name, &length) == 0);
    char port[16];
    snprintf(port, sizeof port, "%d", name[2] << 8 | name[3]); /* of a struct sockaddr_in */
    tutti_stream_context *context = ends_context(NULL);
    end mine = {0};
    const tutti_stream_callbacks callbacks = ends_callbacks(&mine);
    tutti_stream *stream;
    EXPECT(tutti_stream_connect(context, port, &callbacks, &stream) == 0);
    union {
        struct fi_eq_cm_entry entry;
        uint8_t bytes[512];
    } event;
    uint32_t kind;
    const int64_t end_ns = tti_clock_ns() + PATIENCE_NS;
    while (fi_eq_read(one.events, &kind, &event, sizeof event, 0) <= 0)
        EXPECT(tti_clock_ns() < end_ns && tutti_stream_process(context, 0) >= 0);
    EXPECT(kind == FI_CONNREQ);
    tti_hello_write(answer, words);
    if (accepts) stranger_make_endpoint(&one, event.entry.info);
    EXPECT((accepts ? fi_accept(one.endpoint, words, sizeof words)
                    : fi_reject(one.listener, event.entry.info->handle, words, sizeof words)) == 0);
    one.library->freeinfo(event.entry.info);
    while (!mine.closed) {
        EXPECT(tti_clock_ns() < end_ns && tutti_stream_process(context, 0) >= 0);
        fi_eq_read(one.events, &kind, &event, sizeof event, FI_PEEK);
    }
    EXPECT(!mine.opened);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    stranger_leave(&one);
    return mine.code;
}

int main(void)
{
    strangers_knock();
    const tti_hello other = of_version(TTI_STREAM_VERSION + 1), refusal = of_version(TTI_STREAM_VERSION);
    tti_hello full = {.version = TTI_STREAM_VERSION, .refusal = TTI_REFUSAL_FULL}, bad = refusal;
    bad.credits = 0;
    EXPECT(knock_at_stranger(&other, true) == TUTTI_ERR_VERSION);
    EXPECT(knock_at_stranger(&other, false) == TUTTI_ERR_VERSION);
    EXPECT(knock_at_stranger(&bad, true) == TUTTI_ERR_FABRIC);
    EXPECT(knock_at_stranger(&full, false) == TUTTI_ERR_LIMIT);
    full.refusal = TTI_REFUSAL_VERSION;
    EXPECT(knock_at_stranger(&full, false) == TUTTI_ERR_VERSION);
    full.refusal = TTI_REFUSAL_NOT_A_STREAM;
    EXPECT(knock_at_stranger(&full, false) == TUTTI_ERR_REFUSED);
    return 0;
}

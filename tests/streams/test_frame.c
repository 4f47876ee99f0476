/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes from outside: hellos, frames, addresses; whole, cut, and altered. */
#include <string.h>

#include "streams/frame.h"
#include "streams/stream_state.h"
#include "tests/unit/expect.h"

static const tti_hello sample = {.version = TTI_STREAM_VERSION,
                                 .buffer_bytes = 16384,
                                 .credits = 16,
                                 .token = UINT64_C(0x1234567890abcdef),
                                 .guarded = true,
                                 .nonce = {1, 2, 3, [15] = 16}};

static void hellos(void)
{
    uint8_t text[256] = {0};
    tti_hello back;
    tti_hello_write(&sample, text);
    EXPECT(tti_hello_read(&back, text, TTI_HELLO_BYTES, "x") == 0);
    EXPECT(back.buffer_bytes == sample.buffer_bytes && back.credits == sample.credits);
    EXPECT(back.token == sample.token && back.refusal == TTI_REFUSAL_NONE && back.guarded);
    EXPECT(memcmp(back.nonce, sample.nonce, sizeof back.nonce) == 0);
    EXPECT(tti_hello_read(&back, text, sizeof text, "x") == 0); /* padded */
    for (size_t bytes = 0; bytes < TTI_HELLO_BYTES; bytes++)
        EXPECT(tti_hello_read(&back, text, bytes, "x") == TUTTI_ERR_FABRIC);
    text[7] = 2; /* neither with a secret nor without */
    EXPECT(tti_hello_read(&back, text, TTI_HELLO_BYTES, "x") == TUTTI_ERR_FABRIC);
    text[4]++;
    EXPECT(tti_hello_read(&back, text, TTI_HELLO_BYTES, "host:1") == TUTTI_ERR_VERSION);
    EXPECT(strstr(tutti_error_detail(), "host:1 speaks version 2") != NULL);
    text[0] = 'x';
    EXPECT(tti_hello_read(&back, text, TTI_HELLO_BYTES, "x") == TUTTI_ERR_FABRIC);
}

static void expect_unsound(const tti_hello *hello)
{
    uint8_t text[TTI_HELLO_BYTES];
    tti_hello back;
    tti_hello_write(hello, text);
    EXPECT(tti_hello_read(&back, text, sizeof text, "x") == TUTTI_ERR_FABRIC);
}

static void unsound_hellos(void)
{
    tti_hello bad = sample;
    bad.credits = 0;
    expect_unsound(&bad);
    bad.credits = TTI_STREAM_CREDITS_MOST + 1;
    expect_unsound(&bad);
    bad = sample;
    bad.buffer_bytes = TTI_STREAM_BUFFER_LEAST - 1;
    expect_unsound(&bad);
    bad.buffer_bytes = UINT32_MAX;
    expect_unsound(&bad);
    bad.refusal = TTI_REFUSAL_SECRET + 1;
    expect_unsound(&bad);
}

static void frames(void)
{
    uint8_t bytes[TTI_FRAME_HEAD + 10] = {0};
    const tti_frame frame = {.token = 77, .kind = TTI_FRAME_MESSAGE, .credits = 3, .bytes = 10};
    tti_frame back;
    tti_frame_write(&frame, bytes);
    EXPECT(tti_frame_read(&back, bytes, sizeof bytes) == sizeof bytes);
    EXPECT(back.token == 77 && back.kind == TTI_FRAME_MESSAGE && back.credits == 3 && back.bytes == 10);
    for (size_t length = 0; length < sizeof bytes; length++)
        EXPECT(tti_frame_read(&back, bytes, length) == 0);
    for (int kind = 0; kind < 256; kind++) {
        bytes[8] = (uint8_t)kind;
        EXPECT((tti_frame_read(&back, bytes, sizeof bytes) > 0) == (kind == TTI_FRAME_MESSAGE));
    }
}

/* Several in one operation: each leads to the next, and nothing that is no frame may follow. */
static void many_frames(void)
{
    uint8_t bytes[4 * TTI_FRAME_HEAD] = {0};
    const tti_frame first = {.token = 1, .kind = TTI_FRAME_MESSAGE, .bytes = 3};
    const tti_frame last = {.token = 2, .kind = TTI_FRAME_BYE};
    tti_frame back;
    tti_frame_write(&first, bytes);
    tti_frame_write(&last, bytes + 32);
    EXPECT(tti_frame_fill(TTI_FRAME_HEAD + 3) == 32 && tti_frame_fill(32) == 32);
    EXPECT(tti_frame_read(&back, bytes, 48) == 32 && back.token == 1 && back.bytes == 3);
    EXPECT(tti_frame_read(&back, bytes + 32, 16) == 16 && back.kind == TTI_FRAME_BYE);
    EXPECT(tti_frame_read(&back, bytes + 32, 32) == 16); /* of what follows only that it may be a head */
    for (size_t length = 0; length < 48; length++)
        EXPECT(tti_frame_read(&back, bytes, length) == (length == TTI_FRAME_HEAD + 3 ? length : 0));
    EXPECT(tti_frame_read(&back, bytes + 32, 31) == 0);
}

static void handshake_frames(void)
{
    uint8_t bytes[TTI_FRAME_HEAD + TTI_PROOF_BYTES + 1] = {0};
    for (int kind = TTI_FRAME_PROOF; kind <= TTI_FRAME_DENIAL; kind++) {
        const size_t right = kind == TTI_FRAME_PROOF ? TTI_PROOF_BYTES : 0;
        for (size_t length = 0; length <= TTI_PROOF_BYTES + 1; length++) {
            const tti_frame frame = {.token = 77, .kind = (uint8_t)kind, .bytes = (uint32_t)length};
            tti_frame back;
            tti_frame_write(&frame, bytes);
            EXPECT(tti_frame_read(&back, bytes, TTI_FRAME_HEAD + length) ==
                   (length == right ? TTI_FRAME_HEAD + length : 0));
        }
    }
}

static void addresses(void)
{
    char host[TTI_STREAM_TEXT * 4], port[8];
    EXPECT(tti_stream_split_address("4711", host, port));
    EXPECT(strcmp(host, "127.0.0.1") == 0 && strcmp(port, "4711") == 0);
    EXPECT(tti_stream_split_address(":5", host, port) && strcmp(host, "127.0.0.1") == 0);
    EXPECT(tti_stream_split_address("a.b:65535", host, port));
    EXPECT(strcmp(host, "a.b") == 0 && strcmp(port, "65535") == 0);
    EXPECT(tti_stream_split_address("[::1]:0", host, port) && strcmp(host, "::1") == 0);
    static const char *const malformed[] = {"", ":", "a", "a:", "a:65536", "::1:5", "a:-1", "a:5x", "[::1]"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        EXPECT(!tti_stream_split_address(malformed[i], host, port));
}

int main(void)
{
    hellos();
    unsound_hellos();
    frames();
    many_frames();
    handshake_frames();
    addresses();
    return 0;
}

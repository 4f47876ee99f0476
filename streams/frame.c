/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/frame.h"

#include "runtime/base/status.h"
#include "runtime/base/wire.h"

static const char magic[4] = {'T', 'T', 'I', 'S'};

void tti_hello_write(const tti_hello *hello, uint8_t text[TTI_HELLO_BYTES])
{
    tti_wire_out out = {text, text + TTI_HELLO_BYTES, false};
    tti_wire_put(&out, magic, sizeof magic);
    tti_wire_put_uint(&out, hello->version, 2);
    tti_wire_put_uint(&out, hello->refusal, 1);
    tti_wire_put_uint(&out, hello->guarded, 1);
    tti_wire_put_uint(&out, hello->buffer_bytes, 4);
    tti_wire_put_uint(&out, hello->credits, 4);
    tti_wire_put_uint(&out, hello->token, 8);
    tti_wire_put(&out, hello->nonce, sizeof hello->nonce);
}

static bool hello_is_sound(const tti_hello *hello)
{
    if (hello->refusal != TTI_REFUSAL_NONE) return hello->refusal <= TTI_REFUSAL_SECRET;
    return hello->buffer_bytes >= TTI_STREAM_BUFFER_LEAST && hello->buffer_bytes <= TTI_STREAM_BUFFER_MOST &&
           hello->credits >= 1 && hello->credits <= TTI_STREAM_CREDITS_MOST;
}

int tti_hello_read(tti_hello *hello, const void *text, size_t bytes, const char *who)
{
    tti_wire_in in = {text, (const uint8_t *)text + bytes, false};
    memset(hello, 0, sizeof *hello);
    const void *head = tti_wire_take(&in, sizeof magic);
    if (head == NULL || memcmp(head, magic, sizeof magic) != 0)
        return tti_fail(TUTTI_ERR_FABRIC, "%s does not speak as a stream of Tutti (%zu bytes)", who, bytes);
    hello->version = (uint16_t)tti_wire_take_uint(&in, 2);
    hello->refusal = (uint8_t)tti_wire_take_uint(&in, 1);
    const uint64_t guarded = tti_wire_take_uint(&in, 1);
    if (!in.failed && hello->version != TTI_STREAM_VERSION)
        return tti_fail(TUTTI_ERR_VERSION,
                        "%s speaks version %u of streams, this side version %d: use the same libtutti_stream "
                        "on both",
                        who, hello->version, TTI_STREAM_VERSION);
    hello->buffer_bytes = (uint32_t)tti_wire_take_uint(&in, 4);
    hello->credits = (uint32_t)tti_wire_take_uint(&in, 4);
    hello->token = tti_wire_take_uint(&in, 8);
    hello->guarded = guarded != 0;
    const void *nonce = tti_wire_take(&in, sizeof hello->nonce);
    if (nonce != NULL) memcpy(hello->nonce, nonce, sizeof hello->nonce);
    if (in.failed || guarded > 1 || !hello_is_sound(hello))
        return tti_fail(TUTTI_ERR_FABRIC, "what %s says on connecting is damaged (%zu bytes)", who, bytes);
    return 0;
}

void tti_frame_write(const tti_frame *frame, uint8_t head[TTI_FRAME_HEAD])
{
    tti_wire_out out = {head, head + TTI_FRAME_HEAD, false};
    tti_wire_put_uint(&out, frame->token, 8);
    tti_wire_put_uint(&out, frame->kind, 1);
    tti_wire_put_uint(&out, 0, 1);
    tti_wire_put_uint(&out, frame->credits, 2);
    tti_wire_put_uint(&out, frame->bytes, 4);
}

/* Whether a frame of this kind may have so many bytes behind its head. */
static bool length_is_sound(const tti_frame *frame)
{
    if (frame->kind == TTI_FRAME_MESSAGE) return true;
    return frame->bytes == (frame->kind == TTI_FRAME_PROOF ? TTI_PROOF_BYTES : 0);
}

size_t tti_frame_read(tti_frame *frame, const uint8_t *at, size_t bytes)
{
    tti_wire_in in = {at, at + bytes, false};
    frame->token = tti_wire_take_uint(&in, 8);
    frame->kind = (uint8_t)tti_wire_take_uint(&in, 1);
    tti_wire_take_uint(&in, 1);
    frame->credits = (uint16_t)tti_wire_take_uint(&in, 2);
    frame->bytes = (uint32_t)tti_wire_take_uint(&in, 4);
    if (in.failed || frame->kind < TTI_FRAME_MESSAGE || frame->kind > TTI_FRAME_DENIAL) return 0;
    if (!length_is_sound(frame)) return 0;
    const size_t left = (size_t)(in.end - in.at);
    if (frame->bytes == left) return bytes;
    if (frame->bytes > left) return 0;
    const size_t next = tti_frame_fill(TTI_FRAME_HEAD + (size_t)frame->bytes);
    return next + TTI_FRAME_HEAD <= bytes ? next : 0;
}

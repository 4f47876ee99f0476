/* SPDX-License-Identifier: BSD-3-Clause */
/* What streams say to each other, bit for bit; pure, parsed with bounds, fuzzed.
 *
 * Connecting, in libfabric's connection data: who knocks says HELLO; who lets it in answers HELLO, who does
 * not REFUSAL. Both sides then know each other's token, buffer length and credits. Where they share a secret
 * the next frames are proofs that they know it: PROOF of who knocked, answered by PROOF or by DENIAL
 * (secret.h).
 *
 * Connected, a frame is a head of 16 bytes and, of MESSAGE, the message. Each may bring credits back. One
 * network operation carries one or several whole frames; all but the last are filled up with zeros to a
 * multiple of 16 bytes, so that each message can be handed out where it lies. A
 * shared receive context does not tell from which connection a frame came: its token does, which nobody else
 * can guess. The last frame of each side is BYE. Integers are little-endian. */
#ifndef TTI_STREAMS_FRAME_H
#define TTI_STREAMS_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TTI_STREAM_VERSION 1
#define TTI_HELLO_BYTES 40 /* providers have room for 56 or more */
#define TTI_NONCE_BYTES 16
#define TTI_PROOF_BYTES 32
#define TTI_FRAME_HEAD 16
#define TTI_FRAME_ALIGNMENT 16 /* of heads and messages in an operation */
#define TTI_STREAM_BUFFER_MOST ((size_t)1 << 30)
#define TTI_STREAM_BUFFER_LEAST 64
#define TTI_STREAM_CREDITS_MOST 4096

enum tti_refusal {
    TTI_REFUSAL_NONE,
    TTI_REFUSAL_NOT_A_STREAM,
    TTI_REFUSAL_VERSION,
    TTI_REFUSAL_FULL,
    TTI_REFUSAL_SECRET /* one side has a secret and the other has none */
};

typedef struct {
    uint16_t version;      /* of whoever speaks */
    uint8_t refusal;       /* tti_refusal; the rest is then 0 */
    bool guarded;          /* whoever speaks has a secret, and opens for nobody who does not know it */
    uint32_t buffer_bytes; /* longest message that it takes */
    uint32_t credits;      /* how many of them at a time */
    uint64_t token;        /* what frames to it must bear */
    uint8_t nonce[TTI_NONCE_BYTES]; /* random: no proof serves twice */
} tti_hello;

enum tti_frame_kind {
    TTI_FRAME_MESSAGE = 1,
    TTI_FRAME_CREDIT,
    TTI_FRAME_BYE,
    TTI_FRAME_PROOF,
    TTI_FRAME_DENIAL
};

typedef struct {
    uint64_t token;
    uint8_t kind;     /* tti_frame_kind */
    uint16_t credits; /* so many more messages may be sent to whoever speaks */
    uint32_t bytes;   /* of the message or the proof */
} tti_frame;

void tti_hello_write(const tti_hello *hello, uint8_t text[TTI_HELLO_BYTES]);
/* `bytes` may be more than a hello's: providers pad connection data. 0; TUTTI_ERR_FABRIC not a stream's, or
 * damaged; TUTTI_ERR_VERSION of another version (hello->version is set). `who` is for the detail. */
int tti_hello_read(tti_hello *hello, const void *text, size_t bytes, const char *who);

void tti_frame_write(const tti_frame *frame, uint8_t head[TTI_FRAME_HEAD]);
/* The first frame of an operation, or of the `bytes` that are left of it: how far it is to the next, all
 * `bytes` if it is the last. 0 if there is none: unknown kind, longer than what is there, or followed by less
 * than a head. */
size_t tti_frame_read(tti_frame *frame, const uint8_t *at, size_t bytes);
/* `bytes`, filled up: where the next frame of an operation begins. */
static inline size_t tti_frame_fill(size_t bytes)
{
    return (bytes + TTI_FRAME_ALIGNMENT - 1) / TTI_FRAME_ALIGNMENT * TTI_FRAME_ALIGNMENT;
}

#endif

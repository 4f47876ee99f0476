/* SPDX-License-Identifier: BSD-3-Clause */
/* What streams say on connecting, and their frames: what is accepted must be written again as it was, but for
 * the bytes that have no meaning. No proof that the fuzzer makes up is right: it does not know the secret. */
#include <stdlib.h>
#include <string.h>

#include "streams/secret.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_proof(const uint8_t *proof, const uint8_t *head)
{
    static tti_secret *secret;
    tti_greetings greetings = {{0}, {0}};
    memcpy(greetings.caller, head, TTI_FRAME_HEAD);
    if (secret == NULL && tti_secret_copy(&secret, "nobody tells the fuzzer", 23) != 0) abort();
    if (tti_secret_is_proved(secret, TTI_PROVER_CALLER, &greetings, proof)) abort();
    if (tti_secret_is_proved(secret, TTI_PROVER_LISTENER, &greetings, proof)) abort();
}

/* The frames of an operation, as a receiver goes through them: all in bounds and on their places. */
static void read_operation(const uint8_t *data, size_t size)
{
    uint8_t head[TTI_FRAME_HEAD];
    tti_frame frame;
    size_t length;
    for (size_t at = 0; at < size; at += length) {
        length = tti_frame_read(&frame, data + at, size - at);
        if (length == 0) return;
        if (length > size - at || TTI_FRAME_HEAD + (size_t)frame.bytes > length) abort();
        if (at % TTI_FRAME_ALIGNMENT != 0 || (at + length < size && size - at - length < TTI_FRAME_HEAD))
            abort();
        if (frame.kind == TTI_FRAME_PROOF) try_proof(data + at + TTI_FRAME_HEAD, data + at);
        tti_frame_write(&frame, head);
        head[9] = data[at + 9];
        if (memcmp(head, data + at, sizeof head) != 0) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tti_hello hello;
    uint8_t text[TTI_HELLO_BYTES];
    if (tti_hello_read(&hello, data, size, "the fuzzer") == 0) {
        tti_hello_write(&hello, text);
        if (memcmp(text, data, sizeof text) != 0) abort();
    }
    read_operation(data, size);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What streams say on connecting, and their frames: what is accepted must be written again as it was, but for
 * the bytes that have no meaning. */
#include <stdlib.h>
#include <string.h>

#include "streams/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tti_hello hello;
    uint8_t text[TTI_HELLO_BYTES], head[TTI_FRAME_HEAD];
    if (tti_hello_read(&hello, data, size, "the fuzzer") == 0) {
        tti_hello_write(&hello, text);
        text[7] = data[7];
        if (memcmp(text, data, sizeof text) != 0) abort();
    }
    tti_frame frame;
    if (!tti_frame_read(&frame, data, size)) return 0;
    if (frame.bytes != size - TTI_FRAME_HEAD) abort();
    tti_frame_write(&frame, head);
    head[9] = data[9];
    if (memcmp(head, data, sizeof head) != 0) abort();
    return 0;
}

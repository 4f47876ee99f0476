/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/common/checksum.h"

uint64_t checksum(const void *bytes, size_t count)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (const unsigned char *at = bytes; count > 0; count--, at++)
        sum = (sum ^ *at) * UINT64_C(0x100000001b3);
    return sum;
}

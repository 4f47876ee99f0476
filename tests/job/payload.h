/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that tell which message they belong to, and their check. */
#ifndef TESTS_JOB_PAYLOAD_H
#define TESTS_JOB_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline unsigned char payload_byte(size_t i, uint64_t seed)
{
    return (unsigned char)((seed + i) * 167 + (i >> 8));
}

static inline void payload_fill(unsigned char *buf, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++)
        buf[i] = payload_byte(i, seed);
}

static inline bool payload_is(const unsigned char *buf, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++) {
        if (buf[i] != payload_byte(i, seed)) return false;
    }
    return true;
}

#endif

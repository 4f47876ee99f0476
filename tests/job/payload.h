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

/* Within so many bytes each is the one before and 167 more, which compilers make many of at a time. */
#define PAYLOAD_RUN ((size_t)256)

static inline void payload_fill(unsigned char *buf, size_t bytes, uint64_t seed)
{
    for (size_t at = 0; at < bytes; at += PAYLOAD_RUN) {
        const unsigned char first = payload_byte(at, seed);
        const size_t run = bytes - at < PAYLOAD_RUN ? bytes - at : PAYLOAD_RUN;
        for (size_t i = 0; i < run; i++)
            buf[at + i] = (unsigned char)(first + (unsigned char)i * 167);
    }
}

static inline bool payload_is(const unsigned char *buf, size_t bytes, uint64_t seed)
{
    for (size_t at = 0; at < bytes; at += PAYLOAD_RUN) {
        const unsigned char first = payload_byte(at, seed);
        const size_t run = bytes - at < PAYLOAD_RUN ? bytes - at : PAYLOAD_RUN;
        unsigned char differs = 0;
        for (size_t i = 0; i < run; i++)
            differs |= buf[at + i] ^ (unsigned char)(first + (unsigned char)i * 167);
        if (differs != 0) return false;
    }
    return true;
}

#endif

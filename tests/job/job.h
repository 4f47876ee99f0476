/* SPDX-License-Identifier: BSD-3-Clause */
/* For the programs that run as jobs: a failed expectation says which rank, where and what, and ends the job.
 */
#ifndef TESTS_JOB_H
#define TESTS_JOB_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tutti/tutti.h"

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            char job_text[2048];                                                                             \
            snprintf(job_text, sizeof job_text, "%s:%d: expected %s (last detail: %s)", __FILE__, __LINE__,  \
                     #condition, tutti_error_detail());                                                      \
            tutti_abort(1, job_text);                                                                        \
        }                                                                                                    \
    } while (0)

#define OK(call) EXPECT((call) == TUTTI_SUCCESS)

/* A small generator of numbers that is the same everywhere (xorshift64*). */
static inline uint64_t job_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/* Bytes that tell which message they belong to, and their check. */
static inline void job_fill(unsigned char *buf, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++)
        buf[i] = (unsigned char)((seed + i) * 167 + (i >> 8));
}

static inline int job_filled(const unsigned char *buf, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++) {
        if (buf[i] != (unsigned char)((seed + i) * 167 + (i >> 8))) return 0;
    }
    return 1;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies past the caches: what is written goes to memory, and no cache holds it then. A line that another
 * processor has in its cache need not be had from there before it is written, and is not had from this one's
 * when the other reads it: each costs a passage between them, which is long where the two share no cache. */
#ifndef TTI_BASE_PAST_H
#define TTI_BASE_PAST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define TTI_PAST_LINE 64

/* Whole lines, to the beginning of one. */
static inline void tti_copy_lines_past(unsigned char *to, const unsigned char *from, size_t bytes)
{
#if defined(__SSE2__)
    for (size_t at = 0; at < bytes; at += sizeof(__m128i))
        _mm_stream_si128((__m128i *)(void *)(to + at),
                         _mm_loadu_si128((const __m128i *)(const void *)(from + at)));
    _mm_sfence(); /* no release holds such stores back */
#else
    memcpy(to, from, bytes);
#endif
}

/* memcpy() so, which may be followed by a release as that may; a plain one where there is no such way. */
static inline void tti_copy_past(void *to, const void *from, size_t bytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    const size_t over = (uintptr_t)t % TTI_PAST_LINE, odd = over > 0 ? TTI_PAST_LINE - over : 0;
    if (bytes < odd + TTI_PAST_LINE) {
        memcpy(t, f, bytes);
        return;
    }
    const size_t lines = (bytes - odd) / TTI_PAST_LINE * TTI_PAST_LINE, end = odd + lines;
    memcpy(t, f, odd);
    memcpy(t + end, f + end, bytes - end);
    tti_copy_lines_past(t + odd, f + odd, lines);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/copy.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define STEP 64

/* Four vectors at a time: of a loop of one some compilers make a memcpy(). */
static void copy_step(unsigned char *to, const unsigned char *from)
{
#if defined(__SSE2__)
    const __m128i *f = (const __m128i *)(const void *)from;
    __m128i *t = (__m128i *)(void *)to;
    const __m128i a = _mm_loadu_si128(f), b = _mm_loadu_si128(f + 1), c = _mm_loadu_si128(f + 2),
                  d = _mm_loadu_si128(f + 3);
    _mm_storeu_si128(t, a);
    _mm_storeu_si128(t + 1, b);
    _mm_storeu_si128(t + 2, c);
    _mm_storeu_si128(t + 3, d);
#else
    memcpy(to, from, STEP);
#endif
}

/* From the end, so that no load is from where, by the last twelve bits of its place, a store has just been;
 * and whole lines to the beginning of one, which halves the time at odd places. The first and the last step
 * overlap their neighbours. */
void tti_copy_by_vectors(void *to, const void *from, size_t bytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    size_t at = bytes - (uintptr_t)(t + bytes) % STEP;
    copy_step(t + bytes - STEP, f + bytes - STEP);
    for (; at >= STEP; at -= STEP)
        copy_step(t + at - STEP, f + at - STEP);
    copy_step(t, f);
}

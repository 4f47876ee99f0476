/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_BASE_COPY_H
#define TTI_BASE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* From here on memcpy() may be one instruction of the processor's (rep movsb). */
#define TTI_COPY_LONG 512

/* memcpy() by vectors. */
void tti_copy_by_vectors(void *to, const void *from, size_t bytes);

/* That instruction takes 13 to 28 times as long where the two places lie alike in their pages, but for a few
 * bytes: (to - from) % 4096 is 1 to 15. Vectors do not. */
static inline bool tti_copy_is_slow(uint64_t to, uint64_t from, size_t bytes)
{
    return bytes >= TTI_COPY_LONG && (to - from - 1) % 4096 < 15;
}

/* memcpy() of what may be long, at any two places. */
static inline void tti_copy_long(void *to, const void *from, size_t bytes)
{
    if (tti_copy_is_slow((uintptr_t)to, (uintptr_t)from, bytes))
        tti_copy_by_vectors(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

/* memcpy() for what is often one element or two: calling it takes longer than copying them. */
static inline void tti_copy_short(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 0: break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: tti_copy_long(to, from, bytes); break;
    }
}

#endif

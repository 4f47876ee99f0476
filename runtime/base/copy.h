/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_BASE_COPY_H
#define TTI_BASE_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* From here on memcpy() may be one instruction of the processor's (rep movsb). */
#define TTI_COPY_LONG 512

/* memcpy() by vectors. */
void tti_copy_by_vectors(void *to, const void *from, size_t bytes);

/* memcpy() of what may be long, at any two places. That instruction takes 13 to 28 times as long where the
 * two lie alike in their pages, but for a few bytes: (to - from) % 4096 is 1 to 15. Vectors do not. */
static inline void tti_copy_long(void *to, const void *from, size_t bytes)
{
    if (bytes >= TTI_COPY_LONG && ((uintptr_t)to - (uintptr_t)from - 1) % 4096 < 15)
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

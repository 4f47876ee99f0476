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

/* So few bytes are copied in place: calling memcpy() takes longer. */
#define TTI_COPY_FEW 64

/* Both ends, which may overlap. */
static inline void tti_copy_few(void *to, const void *from, size_t bytes)
{
    char *behind = (char *)to + bytes;
    const char *from_behind = (const char *)from + bytes;
    if (bytes > 32) {
        memcpy(to, from, 32);
        memcpy(behind - 32, from_behind - 32, 32);
    } else if (bytes >= 16) {
        memcpy(to, from, 16);
        memcpy(behind - 16, from_behind - 16, 16);
    } else if (bytes >= 8) {
        memcpy(to, from, 8);
        memcpy(behind - 8, from_behind - 8, 8);
    } else if (bytes >= 4) {
        memcpy(to, from, 4);
        memcpy(behind - 4, from_behind - 4, 4);
    } else {
        for (size_t i = 0; i < bytes; i++)
            ((char *)to)[i] = ((const char *)from)[i];
    }
}

/* memcpy() for what is often one element or two, or a short message. */
static inline void tti_copy_short(void *to, const void *from, size_t bytes)
{
    if (bytes <= TTI_COPY_FEW)
        tti_copy_few(to, from, bytes);
    else
        tti_copy_long(to, from, bytes);
}

#endif

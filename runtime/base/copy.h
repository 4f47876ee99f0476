/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_BASE_COPY_H
#define TTI_BASE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* From here on memcpy() may be one instruction of the processor's (rep movsb). */
#define TTI_COPY_LONG 512

/* memcpy() by vectors, of 64 bytes and more. */
void tti_copy_by_vectors(void *to, const void *from, size_t bytes);

/* That instruction takes 13 to 30 times as long where the two places lie alike in their pages, but for a few
 * bytes: (to - from) % 4096 is 1 to 15, on some processors 1 to 31. Vectors do not. */
static inline bool tti_copy_is_slow(uint64_t to, uint64_t from, size_t bytes)
{
    return bytes >= TTI_COPY_LONG && (to - from - 1) % 4096 < 31;
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

/* A word that may be part of anything, anywhere; volatile, so that compilers do not read two at once: of what
 * was just written in words that would have to wait until these have reached the cache. */
typedef volatile uint64_t __attribute__((may_alias, aligned(1))) tti_copy_word;

static inline void tti_copy_word_at(void *to, const void *from, size_t at)
{
    const uint64_t word = *(const tti_copy_word *)((const char *)from + at);
    memcpy((char *)to + at, &word, sizeof word);
}

/* Words, of which the last may overlap the one before. */
static inline void tti_copy_few(void *to, const void *from, size_t bytes)
{
    const size_t word = sizeof(uint64_t);
    if (bytes >= word) {
        for (size_t at = 0; at + word <= bytes; at += word)
            tti_copy_word_at(to, from, at);
        if (bytes % word != 0) tti_copy_word_at(to, from, bytes - word);
    } else if (bytes >= 4) {
        memcpy(to, from, 4);
        memcpy((char *)to + bytes - 4, (const char *)from + bytes - 4, 4);
    } else {
        for (size_t i = 0; i < bytes; i++)
            ((char *)to)[i] = ((const char *)from)[i];
    }
}

/* Zeroes in something of a known size, a line at a time: for one of more than 96 bytes gcc takes an
 * instruction (rep stos) that takes longer to begin than all these stores do. */
static inline void tti_clear(void *at, size_t bytes)
{
    const size_t line = 64;
    for (size_t done = 0; done < bytes; done += line)
        memset((char *)at + done, 0, bytes - done < line ? bytes - done : line);
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

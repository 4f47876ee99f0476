/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks for a cache line that will be needed soon, without waiting for it. */
#ifndef TTI_BASE_PREFETCH_H
#define TTI_BASE_PREFETCH_H

static inline void tti_prefetch_read(const void *line)
{
    __builtin_prefetch(line);
}

/* For writing: taken away from the other processors' caches. Compilers make a mere read of it unless told
 * that the processor knows prefetchw; those of 64 bits that do not ignore it. */
static inline void tti_prefetch_write(void *line)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

#endif

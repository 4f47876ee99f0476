/* SPDX-License-Identifier: BSD-3-Clause */
/* Words to the processor. */
#ifndef TTI_BASE_PAUSE_H
#define TTI_BASE_PAUSE_H

/* This is a loop that waits for memory to change. */
static inline void tti_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Asks for a line that is written next, from whoever has it. */
static inline void tti_prefetch_to_write(const void *line)
{
#if defined(__x86_64__)
    /* Does nothing where the processor does not know it; the compiler's builtin may ask to read instead. */
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

#endif

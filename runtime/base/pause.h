/* SPDX-License-Identifier: BSD-3-Clause */
/* A word to the processor. */
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

#endif

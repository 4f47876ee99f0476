/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the processor that this is a loop that waits for memory to change. */
#ifndef TTI_BASE_PAUSE_H
#define TTI_BASE_PAUSE_H

static inline void tti_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that run each time a rank gets its core back for a moment. The linker puts them side by side:
 * what a short turn costs is the pages it touches, as after each switch of context the processor must look
 * them up anew. */
#ifndef TTI_BASE_HOT_H
#define TTI_BASE_HOT_H

#define TTI_HOT __attribute__((hot))

/* What such a function calls seldom, and should not make room for on its stack. */
#define TTI_APART __attribute__((noinline))

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_BASE_COPY_H
#define TTI_BASE_COPY_H

#include <stddef.h>
#include <string.h>

/* memcpy() for what is often one element or two: calling it takes longer than copying them. */
static inline void tti_copy_short(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 0: break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, bytes); break;
    }
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that nobody can guess. */
#ifndef TTI_BASE_RANDOM_H
#define TTI_BASE_RANDOM_H

#include <stddef.h>

/* Fills `to` (at most 256 bytes) from the kernel's generator; `what` they are for. TUTTI_ERR_SYSTEM. */
int tti_random_fill(void *to, size_t bytes, const char *what);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The exclusive or of a group's pieces, in the place of second copies. Under the lock. */
#ifndef TTI_KEEP_PARITY_H
#define TTI_KEEP_PARITY_H

#include "keep/keeping_state.h"

/* Begins what the group exchanges for a version; the caller starts the agreement on heads before. */
int tti_parity_make(tti_keeping *keeping);
void tti_parity_begin(tti_keeping *keeping);
/* It is not to begin, at any rank. */
void tti_parity_withdraw(tti_parity *parity);
void tti_parity_free(tti_parity *parity);

/* How much of part `part` (0 for the next rank behind it, ...) a piece has, in parts of `chunk` bytes. */
static inline size_t tti_parity_part(size_t bytes, size_t chunk, int part)
{
    const size_t before = (size_t)part * chunk, left = bytes > before ? bytes - before : 0;
    return left < chunk ? left : chunk;
}
void tti_parity_add(void *to, const void *from, size_t bytes);

#endif

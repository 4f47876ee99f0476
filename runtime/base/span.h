/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of memory that do not overlap, found by any address in them, among many as soon as among few. A tree
 * begins as NULL; the caller owns what is in it. */
#ifndef TTI_BASE_SPAN_H
#define TTI_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *base;
    size_t bytes; /* at least 1 */
} tti_span;

/* False without memory. */
bool tti_span_add(void **tree, tti_span *span);
/* The one that has the address; NULL: none. */
tti_span *tti_span_at(void *const *tree, const void *at);
void tti_span_remove(void **tree, tti_span *span);
/* Any one; NULL: there are none. */
tti_span *tti_span_any(void *const *tree);

#endif

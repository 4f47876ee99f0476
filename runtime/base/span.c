/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's balanced tree. */
#include "runtime/base/span.h"

#include <search.h>
#include <stdint.h>

/* Those that overlap are the same. */
static int compare(const void *left, const void *right)
{
    const tti_span *a = left, *b = right;
    const uintptr_t at = (uintptr_t)a->base, other = (uintptr_t)b->base;
    if (at < other) return other - at < a->bytes ? 0 : -1;
    return at - other < b->bytes ? 0 : 1;
}

/* A node of the tree begins with the pointer to what it is of. */
static tti_span *span_of(void *node)
{
    return node != NULL ? *(tti_span **)node : NULL;
}

bool tti_span_add(void **tree, tti_span *span)
{
    return tsearch(span, tree, compare) != NULL;
}

tti_span *tti_span_at(void *const *tree, const void *at)
{
    const tti_span wanted = {.base = at, .bytes = 1};
    return span_of(tfind(&wanted, tree, compare));
}

void tti_span_remove(void **tree, tti_span *span)
{
    tdelete(span, tree, compare);
}

tti_span *tti_span_any(void *const *tree)
{
    return span_of(*tree);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation of the user's that is associative and does not commute: one map x → a·x + b after another,
 * modulo 2^32. */
#ifndef TESTS_JOB_AFFINE_H
#define TESTS_JOB_AFFINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t a, b;
} affine;

/* `context`: NULL, or a long that counts the elements. */
static inline void affine_compose(const void *in, void *inout, size_t count, void *context)
{
    const affine *f = in;
    affine *g = inout;
    for (size_t i = 0; i < count; i++)
        g[i] = (affine){f[i].a * g[i].a, f[i].a * g[i].b + f[i].b};
    if (context != NULL) *(long *)context += (long)count;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reals and complex numbers. */
#include "runtime/base/element_rows.h"

/* Elements lie in memory at any alignment and under any effective type. */
typedef float real_f __attribute__((aligned(1), may_alias));
typedef double real_d __attribute__((aligned(1), may_alias));
typedef long double real_l __attribute__((aligned(1), may_alias));

#define LOOP(function, stored, value, result)                                                                \
    TTI_ELEMENT_LOOP(                                                                                        \
        function, const stored *restrict x = in; stored *restrict y = inout;                                 \
        for (size_t i = 0; i < count; i++) {                                                                 \
            const value a = x[i], b = y[i];                                                                  \
            y[i] = result;                                                                                   \
        })

/* `a != a` lets a NaN of the left win; one of the right stays, as no comparison with it is true. */
#define REAL_LOOPS(kind, value)                                                                              \
    LOOP(sum_##kind, real_##kind, value, a + b)                                                              \
    LOOP(prod_##kind, real_##kind, value, a *b)                                                              \
    LOOP(min_##kind, real_##kind, value, ((a < b) | (a != a)) ? a : b)                                       \
    LOOP(max_##kind, real_##kind, value, ((a > b) | (a != a)) ? a : b)

REAL_LOOPS(f, float)
REAL_LOOPS(d, double)
REAL_LOOPS(l, long double)

/* The plain formula: C's own product goes through a library call per element to turn some NaNs back into
 * infinities (C11 annex G), which would make it several times slower. */
#define COMPLEX_LOOPS(kind, value)                                                                           \
    static void complex_sum_##kind(const void *restrict in, void *restrict inout, size_t count)              \
    {                                                                                                        \
        sum_##kind(in, inout, 2 * count);                                                                    \
    }                                                                                                        \
    static void complex_prod_##kind(const void *restrict in, void *restrict inout, size_t count)             \
    {                                                                                                        \
        const real_##kind *restrict x = in;                                                                  \
        real_##kind *restrict y = inout;                                                                     \
        for (size_t i = 0; i < count; i++) {                                                                 \
            const value ar = x[2 * i], ai = x[2 * i + 1], br = y[2 * i], bi = y[2 * i + 1];                  \
            y[2 * i] = ar * br - ai * bi;                                                                    \
            y[2 * i + 1] = ar * bi + ai * br;                                                                \
        }                                                                                                    \
    }

COMPLEX_LOOPS(f, float)
COMPLEX_LOOPS(d, double)

#define REAL_ROW(kind)                                                                                       \
    {                                                                                                        \
        [TTI_OP_SUM] = sum_##kind, [TTI_OP_PROD] = prod_##kind, [TTI_OP_MIN] = min_##kind,                   \
        [TTI_OP_MAX] = max_##kind                                                                            \
    }
#define COMPLEX_ROW(kind)                                                                                    \
    {                                                                                                        \
        [TTI_OP_SUM] = complex_sum_##kind, [TTI_OP_PROD] = complex_prod_##kind                               \
    }

tti_element_row tti_element_float = REAL_ROW(f);
tti_element_row tti_element_double = REAL_ROW(d);
tti_element_row tti_element_long_double = REAL_ROW(l);
tti_element_row tti_element_float_complex = COMPLEX_ROW(f);
tti_element_row tti_element_double_complex = COMPLEX_ROW(d);

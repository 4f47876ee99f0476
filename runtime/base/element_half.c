/* SPDX-License-Identifier: BSD-3-Clause */
/* The 16-bit reals, computed in float and rounded to nearest even. Conversion is integer arithmetic and
 * selects, which every CPU vectorises; no step makes a subnormal float out of a half, so that a program that
 * flushes subnormals to zero gets the same results. */
#include <stdint.h>
#include <string.h>

#include "runtime/base/element_rows.h"

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The exponent bias of float is 127, that of binary16 is 15. A subnormal half m · 2^-24 is got as
 * 2^-14 · (1 + m / 1024) - 2^-14. */
static inline float float_from_half(uint32_t half)
{
    const uint32_t magnitude = (half & 0x7fff) << 13, rebias = UINT32_C(112) << 23;
    const uint32_t normal = magnitude + rebias;
    const uint32_t special = normal + rebias; /* infinities and NaNs: exponent 31 becomes 255 */
    const uint32_t tiny =
        bits_of_float(float_of_bits(magnitude + (UINT32_C(113) << 23)) - float_of_bits(UINT32_C(113) << 23));
    uint32_t bits = magnitude < UINT32_C(1) << 23 ? tiny : normal;
    bits = magnitude >= UINT32_C(31) << 23 ? special : bits;
    return float_of_bits(bits | (half & 0x8000) << 16);
}

static inline uint32_t half_from_float(float value)
{
    const uint32_t sign = bits_of_float(value) >> 16 & 0x8000, bits = bits_of_float(value) & 0x7fffffff;
    const uint32_t rebias = UINT32_C(112) << 23, odd = bits >> 13 & 1;
    const uint32_t normal = (bits - rebias + 0xfff + odd) >> 13;
    /* The last place of 0.5 is 2^-24, that of a subnormal half: the addition rounds. */
    const uint32_t tiny = bits_of_float(float_of_bits(bits) + 0.5F) - UINT32_C(0x3f000000);
    const uint32_t quiet = 0x7e00 | (bits >> 13 & 0x3ff);
    uint32_t half = bits < UINT32_C(113) << 23 ? tiny : normal;
    half = bits >= UINT32_C(0x477ff000) ? 0x7c00 : half; /* 65520 and up round to infinity */
    half = bits > UINT32_C(0x7f800000) ? quiet : half;
    return half | sign;
}

static inline float float_from_bfloat(uint32_t bfloat)
{
    return float_of_bits(bfloat << 16);
}

static inline uint32_t bfloat_from_float(float value)
{
    const uint32_t bits = bits_of_float(value), odd = bits >> 16 & 1;
    const uint32_t rounded = (bits + 0x7fff + odd) >> 16, quiet = bits >> 16 | 0x40;
    return (bits & 0x7fffffff) > UINT32_C(0x7f800000) ? quiet : rounded;
}

typedef uint16_t stored16 __attribute__((aligned(1), may_alias));

#define LOOP(function, kind, result)                                                                         \
    TTI_ELEMENT_LOOP(                                                                                        \
        function##_##kind, const stored16 *restrict x = in; stored16 *restrict y = inout;                    \
        for (size_t i = 0; i < count; i++) {                                                                 \
            const float a = float_from_##kind(x[i]), b = float_from_##kind(y[i]);                            \
            y[i] = (uint16_t)kind##_from_float(result);                                                      \
        })

/* As in element_real.c a NaN wins in min and max. */
#define LOOPS(kind)                                                                                          \
    LOOP(sum, kind, a + b)                                                                                   \
    LOOP(prod, kind, a *b)                                                                                   \
    LOOP(min, kind, ((a < b) | (a != a)) ? a : b)                                                            \
    LOOP(max, kind, ((a > b) | (a != a)) ? a : b)

LOOPS(half)
LOOPS(bfloat)

#define ROW(kind)                                                                                            \
    {                                                                                                        \
        [TTI_OP_SUM] = sum_##kind, [TTI_OP_PROD] = prod_##kind, [TTI_OP_MIN] = min_##kind,                   \
        [TTI_OP_MAX] = max_##kind                                                                            \
    }

tti_element_row tti_element_float16 = ROW(half);
tti_element_row tti_element_bfloat16 = ROW(bfloat);

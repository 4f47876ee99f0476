/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers. All arithmetic is unsigned, where overflow wraps; two's complement makes it that of the signed
 * types as well, so that they have loops of their own for min and max alone. */
#include <stdint.h>

#include "runtime/base/element_rows.h"

/* One loop: `stored` is how elements lie in memory (any alignment, any effective type), `wide` what they are
 * computed in: never narrower than unsigned int, lest promotion make them signed. */
#define LOOP(function, stored, wide, result)                                                                 \
    TTI_ELEMENT_LOOP(                                                                                        \
        function, const stored *restrict x = in; stored *restrict y = inout;                                 \
        for (size_t i = 0; i < count; i++) {                                                                 \
            const wide a = x[i], b = y[i];                                                                   \
            y[i] = (stored)(result);                                                                         \
        })

#define LOOPS(bits, uwide, swide)                                                                            \
    typedef uint##bits##_t u##bits __attribute__((aligned(1), may_alias));                                   \
    typedef int##bits##_t s##bits __attribute__((aligned(1), may_alias));                                    \
    LOOP(sum##bits, u##bits, uwide, a + b)                                                                   \
    LOOP(prod##bits, u##bits, uwide, a *b)                                                                   \
    LOOP(umin##bits, u##bits, uwide, a < b ? a : b)                                                          \
    LOOP(umax##bits, u##bits, uwide, a > b ? a : b)                                                          \
    LOOP(smin##bits, s##bits, swide, a < b ? a : b)                                                          \
    LOOP(smax##bits, s##bits, swide, a > b ? a : b)                                                          \
    LOOP(land##bits, u##bits, uwide, (a != 0) & (b != 0))                                                    \
    LOOP(lor##bits, u##bits, uwide, (a | b) != 0)                                                            \
    LOOP(lxor##bits, u##bits, uwide, (a != 0) ^ (b != 0))                                                    \
    LOOP(band##bits, u##bits, uwide, a &b)                                                                   \
    LOOP(bor##bits, u##bits, uwide, a | b)                                                                   \
    LOOP(bxor##bits, u##bits, uwide, a ^ b)

LOOPS(8, uint32_t, int32_t)
LOOPS(16, uint32_t, int32_t)
LOOPS(32, uint32_t, int32_t)
LOOPS(64, uint64_t, int64_t)

#define ROW(bits, least, most)                                                                               \
    {                                                                                                        \
        [TTI_OP_SUM] = sum##bits, [TTI_OP_PROD] = prod##bits, [TTI_OP_MIN] = least, [TTI_OP_MAX] = most,     \
        [TTI_OP_LAND] = land##bits, [TTI_OP_LOR] = lor##bits, [TTI_OP_LXOR] = lxor##bits,                    \
        [TTI_OP_BAND] = band##bits, [TTI_OP_BOR] = bor##bits, [TTI_OP_BXOR] = bxor##bits                     \
    }

tti_element_row tti_element_int8 = ROW(8, smin8, smax8);
tti_element_row tti_element_int16 = ROW(16, smin16, smax16);
tti_element_row tti_element_int32 = ROW(32, smin32, smax32);
tti_element_row tti_element_int64 = ROW(64, smin64, smax64);
tti_element_row tti_element_uint8 = ROW(8, umin8, umax8);
tti_element_row tti_element_uint16 = ROW(16, umin16, umax16);
tti_element_row tti_element_uint32 = ROW(32, umin32, umax32);
tti_element_row tti_element_uint64 = ROW(64, umin64, umax64);

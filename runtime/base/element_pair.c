/* SPDX-License-Identifier: BSD-3-Clause */
/* (value, index) pairs: the extreme value, and of equal ones the least index, as MPI has it. */
#include <stdint.h>
#include <string.h>

#include "runtime/base/element_rows.h"

/* Copied in and out, since the buffers may be unaligned. `better` is < or >. */
#define LOOP(function, pair, better)                                                                         \
    static void function##_##pair(const void *restrict in, void *restrict inout, size_t count)               \
    {                                                                                                        \
        const char *restrict x = in;                                                                         \
        char *restrict y = inout;                                                                            \
        for (size_t at = 0; at < count * sizeof(struct pair); at += sizeof(struct pair)) {                   \
            struct pair a, b;                                                                                \
            memcpy(&a, x + at, sizeof a);                                                                    \
            memcpy(&b, y + at, sizeof b);                                                                    \
            if (a.value better b.value || (a.value == b.value && a.index < b.index))                         \
                memcpy(y + at, &a, sizeof a);                                                                \
        }                                                                                                    \
    }

#define PAIR(pair, type)                                                                                     \
    struct pair {                                                                                            \
        type value;                                                                                          \
        int index;                                                                                           \
    };                                                                                                       \
    LOOP(minloc, pair, <)                                                                                    \
    LOOP(maxloc, pair, >)                                                                                    \
    tti_element_row tti_element_##pair = {[TTI_OP_MINLOC] = minloc_##pair, [TTI_OP_MAXLOC] = maxloc_##pair};

PAIR(float_int, float)
PAIR(double_int, double)
PAIR(int32_int, int32_t)
PAIR(int64_int, int64_t)

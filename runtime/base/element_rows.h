/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops behind tti_element_reduce(): one row per element type, indexed by operation, NULL where the
 * operation is not defined. Only for element*.c. */
#ifndef TTI_BASE_ELEMENT_ROWS_H
#define TTI_BASE_ELEMENT_ROWS_H

#include <stddef.h>

/* The numbers behind the public handles TUTTI_SUM …. */
enum {
    TTI_OP_SUM = 1,
    TTI_OP_PROD,
    TTI_OP_MIN,
    TTI_OP_MAX,
    TTI_OP_LAND,
    TTI_OP_LOR,
    TTI_OP_LXOR,
    TTI_OP_BAND,
    TTI_OP_BOR,
    TTI_OP_BXOR,
    TTI_OP_MINLOC,
    TTI_OP_MAXLOC,
    TTI_OP_COUNT
};

typedef void tti_element_fn(const void *restrict in, void *restrict inout, size_t count);
typedef tti_element_fn *const tti_element_row[TTI_OP_COUNT];

/* Defines a loop over the elements. On x86 it is compiled once more for processors with AVX2, which take
 * twice as much at a time: nearly twice as fast on what is in the caches. The results are the same, bit by
 * bit. */
#if defined(__x86_64__)
#define TTI_ELEMENT_LOOP(function, ...)                                                                      \
    static inline __attribute__((always_inline)) void function##_body(const void *restrict in,               \
                                                                      void *restrict inout, size_t count)    \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }                                                                                                        \
    __attribute__((target("avx2"))) static void function##_wide(const void *restrict in,                     \
                                                                void *restrict inout, size_t count)          \
    {                                                                                                        \
        function##_body(in, inout, count);                                                                   \
    }                                                                                                        \
    static void function(const void *restrict in, void *restrict inout, size_t count)                        \
    {                                                                                                        \
        if (__builtin_cpu_supports("avx2"))                                                                  \
            function##_wide(in, inout, count);                                                               \
        else                                                                                                 \
            function##_body(in, inout, count);                                                               \
    }
#else
#define TTI_ELEMENT_LOOP(function, ...)                                                                      \
    static void function(const void *restrict in, void *restrict inout, size_t count)                        \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#endif

/* element_integer.c */
extern tti_element_row tti_element_int8, tti_element_int16, tti_element_int32, tti_element_int64;
extern tti_element_row tti_element_uint8, tti_element_uint16, tti_element_uint32, tti_element_uint64;
/* element_real.c */
extern tti_element_row tti_element_float, tti_element_double, tti_element_long_double;
extern tti_element_row tti_element_float_complex, tti_element_double_complex;
/* element_half.c */
extern tti_element_row tti_element_float16, tti_element_bfloat16;
/* element_pair.c */
extern tti_element_row tti_element_float_int, tti_element_double_int;
extern tti_element_row tti_element_int32_int, tti_element_int64_int;

#endif

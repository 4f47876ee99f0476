/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of every type, of which each rank has its own, and what two give by each operation: numbers that
 * every type of their kind holds exactly in whatever order up to 16 of them are combined, so that a rank that
 * is lost or counted twice shows. */
#ifndef TESTS_JOB_ELEMENTS_H
#define TESTS_JOB_ELEMENTS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/job/job.h"

enum kind { SIGNED, UNSIGNED, REAL, COMPLEX, PAIR, OWN };

enum operation { SUM, PROD, MIN, MAX, LAND, LOR, LXOR, BAND, BOR, BXOR, MINLOC, MAXLOC, USERS, OPERATIONS };

/* What an element is worth: `whole` of integers, `re` of reals and pairs. And the user's own type. */
typedef struct {
    int64_t whole;
    double re, im;
    int index;
} number;

typedef struct {
    tutti_type type;
    size_t bytes;
    enum kind kind;
    void (*put)(void *element, number n);
    number (*get)(const void *element);
} element_type;

#define ACCESS(name, ctype, from_number, to_number)                                                          \
    static void put_##name(void *element, number n)                                                          \
    {                                                                                                        \
        *(ctype *)element = from_number;                                                                     \
    }                                                                                                        \
    static number get_##name(const void *element)                                                            \
    {                                                                                                        \
        const ctype of = *(const ctype *)element;                                                            \
        return to_number;                                                                                    \
    }
#define WHOLE(name, ctype) ACCESS(name, ctype, (ctype)n.whole, ((number){.whole = (int64_t)of}))
#define PLAIN(name, ctype) ACCESS(name, ctype, (ctype)n.re, ((number){.re = (double)of}))
#define COMPLEX_OF(name, ctype)                                                                              \
    typedef struct {                                                                                         \
        ctype re, im;                                                                                        \
    } name;                                                                                                  \
    ACCESS(name, name, ((name){(ctype)n.re, (ctype)n.im}),                                                   \
           ((number){.re = (double)of.re, .im = (double)of.im}))
#define PAIR_OF(name, ctype)                                                                                 \
    typedef struct {                                                                                         \
        ctype value;                                                                                         \
        int index;                                                                                           \
    } name;                                                                                                  \
    ACCESS(name, name, ((name){(ctype)n.re, n.index}), ((number){.re = (double)of.value, .index = of.index}))

/* Of what has no fraction beyond the type's, and is neither too large nor too small for it. */
static uint16_t half_of(double value)
{
    int exponent;
    const double mantissa = frexp(fabs(value), &exponent);
    if (value == 0) return 0;
    return (uint16_t)(exponent + 14) << 10 | (uint16_t)((int)ldexp(mantissa, 11) - 1024) |
           (value < 0 ? 0x8000 : 0);
}

static double from_half(uint16_t half)
{
    const double amount = ldexp(1024 + (half & 1023), (half >> 10 & 31) - 25);
    return (half & 0x7fff) == 0 ? 0 : half >> 15 ? -amount : amount;
}

static uint16_t bfloat_of(double value)
{
    uint32_t bits;
    memcpy(&bits, &(float){(float)value}, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static double from_bfloat(uint16_t bfloat)
{
    float value;
    memcpy(&value, &(uint32_t){(uint32_t)bfloat << 16}, sizeof value);
    return value;
}

WHOLE(int8, int8_t)
WHOLE(int16, int16_t)
WHOLE(int32, int32_t)
WHOLE(int64, int64_t)
WHOLE(uint8, uint8_t)
WHOLE(uint16, uint16_t)
WHOLE(uint32, uint32_t)
WHOLE(uint64, uint64_t)
PLAIN(float, float)
PLAIN(double, double)
PLAIN(long_double, long double)
ACCESS(half, uint16_t, half_of(n.re), ((number){.re = from_half(of)}))
ACCESS(bfloat, uint16_t, bfloat_of(n.re), ((number){.re = from_bfloat(of)}))
COMPLEX_OF(float_complex, float)
COMPLEX_OF(double_complex, double)
PAIR_OF(float_int, float)
PAIR_OF(double_int, double)
PAIR_OF(int32_int, int32_t)
PAIR_OF(int64_int, int64_t)
ACCESS(own, number, n, of)

#define ROW(type, kind, name, ctype)                                                                         \
    {                                                                                                        \
        type, sizeof(ctype), kind, put_##name, get_##name                                                    \
    }
static const element_type element_types[] = {
    ROW(TUTTI_INT8, SIGNED, int8, int8_t),
    ROW(TUTTI_INT16, SIGNED, int16, int16_t),
    ROW(TUTTI_INT32, SIGNED, int32, int32_t),
    ROW(TUTTI_INT64, SIGNED, int64, int64_t),
    ROW(TUTTI_UINT8, UNSIGNED, uint8, uint8_t),
    ROW(TUTTI_UINT16, UNSIGNED, uint16, uint16_t),
    ROW(TUTTI_UINT32, UNSIGNED, uint32, uint32_t),
    ROW(TUTTI_UINT64, UNSIGNED, uint64, uint64_t),
    ROW(TUTTI_FLOAT, REAL, float, float),
    ROW(TUTTI_DOUBLE, REAL, double, double),
    ROW(TUTTI_LONG_DOUBLE, REAL, long_double, long double),
    ROW(TUTTI_FLOAT16, REAL, half, uint16_t),
    ROW(TUTTI_BFLOAT16, REAL, bfloat, uint16_t),
    ROW(TUTTI_FLOAT_COMPLEX, COMPLEX, float_complex, float_complex),
    ROW(TUTTI_DOUBLE_COMPLEX, COMPLEX, double_complex, double_complex),
    ROW(TUTTI_FLOAT_INT, PAIR, float_int, float_int),
    ROW(TUTTI_DOUBLE_INT, PAIR, double_int, double_int),
    ROW(TUTTI_INT32_INT, PAIR, int32_int, int32_int),
    ROW(TUTTI_INT64_INT, PAIR, int64_int, int64_int),
    ROW(TUTTI_TYPE_BYTES(sizeof(number)), OWN, own, number),
};
#define ELEMENT_TYPES (sizeof element_types / sizeof element_types[0])

static inline bool is_admitted(enum kind kind, enum operation operation)
{
    switch (kind) {
    case SIGNED:
    case UNSIGNED: return operation <= BXOR;
    case REAL: return operation <= MAX;
    case COMPLEX: return operation <= PROD;
    case PAIR: return operation == MINLOC || operation == MAXLOC;
    default: return operation == USERS;
    }
}

/* An integer of rank r. Where one rank decides, each is it for some index. */
static inline int64_t whole_of(enum kind kind, enum operation operation, int r, size_t index)
{
    uint64_t state = (uint64_t)r * 1000003 + index;
    const uint64_t random = job_random(&state);
    const bool decides = index % 17 == (size_t)r;
    switch (operation) {
    case MIN:
    case MAX: return (int64_t)(((size_t)r * 5 + index) % 16) - (kind == SIGNED ? 8 : 0);
    case PROD: return (int64_t)(random | 1); /* odd: each changes the product */
    case LAND: return decides ? 0 : (int64_t)(random % 100) + 1;
    case LOR: return decides ? (int64_t)(random % 100) + 1 : 0;
    case LXOR: return (int64_t)(random % 2 * 3);
    case BAND: return decides ? (int64_t)random : -1;
    case BOR: return decides ? (int64_t)random : 0;
    default: return (int64_t)random;
    }
}

/* Powers of two for products, which in no order leave what a half can hold: exponents of -2 to 2, or of -1
 * to 1. */
static inline number number_of(enum kind kind, enum operation operation, int r, size_t index)
{
    const int i = (int)(index % 1000), mixed = r * (i % 4 + 1) + i;
    number n = {.whole = whole_of(kind, operation, r, index), .re = (r * 5 + i) % 16, .index = r};
    if (operation == MINLOC || operation == MAXLOC) n.re = (r * 5 + i) % 7 - 3; /* several have it */
    if (operation == PROD) n.re = ldexp(1, i % 2 == 0 ? mixed % 5 - 2 : mixed % 3 - 1);
    if (kind == REAL && operation == MIN) n.re -= 8;
    if (kind == COMPLEX) n.im = operation == SUM ? (r * 3 + i) % 16 - 8 : 0;
    if (kind == COMPLEX && operation == PROD && (r + i) % 3 == 0)
        n = (number){.re = 0, .im = r % 2 == 0 ? n.re : -n.re};
    return n;
}

static inline number product(number a, number b)
{
    return (number){.whole = (int64_t)((uint64_t)a.whole * (uint64_t)b.whole),
                    .re = a.re * b.re - a.im * b.im,
                    .im = a.re * b.im + a.im * b.re};
}

static inline number tallied(number a, number b)
{
    return (number){(int64_t)((uint64_t)a.whole + (uint64_t)b.whole), a.re > b.re ? a.re : b.re, a.im + b.im,
                    a.index + b.index};
}

static inline number combined(enum operation operation, number a, number b)
{
    switch (operation) {
    case SUM: return (number){(int64_t)((uint64_t)a.whole + (uint64_t)b.whole), a.re + b.re, a.im + b.im, 0};
    case PROD: return product(a, b);
    case MIN: return (number){a.whole < b.whole ? a.whole : b.whole, fmin(a.re, b.re), 0, 0};
    case MAX: return (number){a.whole > b.whole ? a.whole : b.whole, fmax(a.re, b.re), 0, 0};
    case LAND: return (number){.whole = a.whole != 0 && b.whole != 0};
    case LOR: return (number){.whole = a.whole != 0 || b.whole != 0};
    case LXOR: return (number){.whole = (a.whole != 0) != (b.whole != 0)};
    case BAND: return (number){.whole = a.whole & b.whole};
    case BOR: return (number){.whole = a.whole | b.whole};
    case BXOR: return (number){.whole = a.whole ^ b.whole};
    case MINLOC: return b.re < a.re ? b : a; /* a's index is less */
    case MAXLOC: return b.re > a.re ? b : a;
    default: return tallied(a, b);
    }
}

#endif

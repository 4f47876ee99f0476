/* SPDX-License-Identifier: BSD-3-Clause */
/* Every type × operation against a naive reference, at every count 0..67, aligned and not, with the bytes
 * around the buffers watched; the admitted combinations; all 2^16 halves there and back. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/base/element.h"
#include "runtime/base/element_rows.h"
#include "tests/unit/expect.h"

#define COUNT_MAX 67
#define SPACE (COUNT_MAX * sizeof(long double) + 64)

static uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252U;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double reference_from_half(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) value = fraction == 0 ? INFINITY : NAN;
    return half & 0x8000 ? -value : value;
}

static uint16_t reference_to_half(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value)) return sign | 0x7e00;
    int exponent;
    frexp(value, &exponent);
    if (exponent < -13) exponent = -13; /* subnormal: fixed unit 2^-24 */
    const double unit = ldexp(1, exponent - 11), rounded = nearbyint(fabs(value) / unit) * unit;
    if (isinf(value) || rounded >= 65536) return sign | 0x7c00;
    if (rounded < ldexp(1, -14)) return sign | (uint16_t)ldexp(rounded, 24);
    const double mantissa = frexp(rounded, &exponent);
    return (uint16_t)(sign | (exponent + 14) << 10 | ((int)ldexp(mantissa, 11) - 1024));
}

static float reference_from_bfloat(uint16_t bfloat)
{
    const uint32_t bits = (uint32_t)bfloat << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Of the two neighbours cut from the float's upper half, the nearer, and of a tie the even one. */
static uint16_t reference_to_bfloat(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value)) return (uint16_t)(bits >> 16 | 0x40);
    const uint32_t below = bits >> 16, rest = bits & 0xffff;
    return (uint16_t)(below + (rest > 0x8000 || (rest == 0x8000 && below % 2 == 1)));
}

#define REAL_REFERENCE(type, op, a, b)                                                                       \
    ((op) == TTI_OP_SUM    ? (type)((a) + (b))                                                               \
     : (op) == TTI_OP_PROD ? (type)((a) * (b))                                                               \
     : isnan(a)            ? (a)                                                                             \
     : isnan(b)            ? (b)                                                                             \
     : (op) == TTI_OP_MIN  ? ((a) < (b) ? (a) : (b))                                                         \
                           : ((a) > (b) ? (a) : (b)))

static uint64_t integer_reference(int op, __int128 a, __int128 b)
{
    switch (op) {
    case TTI_OP_SUM: return (uint64_t)(a + b);
    case TTI_OP_PROD: return (uint64_t)((unsigned __int128)a * (unsigned __int128)b);
    case TTI_OP_MIN: return (uint64_t)(a < b ? a : b);
    case TTI_OP_MAX: return (uint64_t)(a > b ? a : b);
    case TTI_OP_LAND: return a && b;
    case TTI_OP_LOR: return a || b;
    case TTI_OP_LXOR: return !a != !b;
    case TTI_OP_BAND: return (uint64_t)(a & b);
    case TTI_OP_BOR: return (uint64_t)(a | b);
    default: return (uint64_t)(a ^ b);
    }
}

#define INTEGER(TYPE, type)                                                                                  \
    case TYPE: {                                                                                             \
        type a, b;                                                                                           \
        memcpy(&a, x, sizeof a);                                                                             \
        memcpy(&b, y, sizeof b);                                                                             \
        const type r = (type)integer_reference(op, a, b);                                                    \
        return memcmp(&r, result, sizeof r) == 0;                                                            \
    }
#define REAL(TYPE, type)                                                                                     \
    case TYPE: {                                                                                             \
        type a, b, r;                                                                                        \
        memcpy(&a, x, sizeof a);                                                                             \
        memcpy(&b, y, sizeof b);                                                                             \
        memcpy(&r, result, sizeof r);                                                                        \
        const type e = REAL_REFERENCE(type, op, a, b);                                                       \
        return r == e || (isnan(r) && isnan(e));                                                             \
    }
#define COMPLEX(TYPE, type)                                                                                  \
    case TYPE: {                                                                                             \
        type a[2], b[2], r[2];                                                                               \
        memcpy(a, x, sizeof a);                                                                              \
        memcpy(b, y, sizeof b);                                                                              \
        memcpy(r, result, sizeof r);                                                                         \
        const type re = op == TTI_OP_SUM ? a[0] + b[0] : a[0] * b[0] - a[1] * b[1];                          \
        const type im = op == TTI_OP_SUM ? a[1] + b[1] : a[0] * b[1] + a[1] * b[0];                          \
        return (r[0] == re || (isnan(r[0]) && isnan(re))) && (r[1] == im || (isnan(r[1]) && isnan(im)));     \
    }
#define PAIR(TYPE, type)                                                                                     \
    case TYPE: {                                                                                             \
        struct {                                                                                             \
            type value;                                                                                      \
            int index;                                                                                       \
        } a, b, r, e;                                                                                        \
        memcpy(&a, x, sizeof a);                                                                             \
        memcpy(&b, y, sizeof b);                                                                             \
        memcpy(&r, result, sizeof r);                                                                        \
        e = (op == TTI_OP_MINLOC ? a.value < b.value : a.value > b.value) ? a : b;                           \
        if (a.value == b.value) e = a.index < b.index ? a : b;                                               \
        return memcmp(&r.value, &e.value, sizeof r.value) == 0 && r.index == e.index;                        \
    }

static bool half_is_right(bool brain, int op, const void *x, const void *y, const void *result)
{
    uint16_t a, b, r;
    memcpy(&a, x, 2);
    memcpy(&b, y, 2);
    memcpy(&r, result, 2);
    const float fa = brain ? reference_from_bfloat(a) : (float)reference_from_half(a);
    const float fb = brain ? reference_from_bfloat(b) : (float)reference_from_half(b);
    const float e = REAL_REFERENCE(float, op, fa, fb);
    if (isnan(e)) return isnan(brain ? (double)reference_from_bfloat(r) : reference_from_half(r));
    return r == (brain ? reference_to_bfloat(e) : reference_to_half(e));
}

static bool is_right(tutti_type type, int op, const void *x, const void *y, const void *result)
{
    switch (type) {
        INTEGER(TUTTI_INT8, int8_t)
        INTEGER(TUTTI_INT16, int16_t)
        INTEGER(TUTTI_INT32, int32_t)
        INTEGER(TUTTI_INT64, int64_t)
        INTEGER(TUTTI_UINT8, uint8_t)
        INTEGER(TUTTI_UINT16, uint16_t)
        INTEGER(TUTTI_UINT32, uint32_t)
        INTEGER(TUTTI_UINT64, uint64_t)
        REAL(TUTTI_FLOAT, float)
        REAL(TUTTI_DOUBLE, double)
        REAL(TUTTI_LONG_DOUBLE, long double)
        COMPLEX(TUTTI_FLOAT_COMPLEX, float)
        COMPLEX(TUTTI_DOUBLE_COMPLEX, double)
        PAIR(TUTTI_FLOAT_INT, float)
        PAIR(TUTTI_DOUBLE_INT, double)
        PAIR(TUTTI_INT32_INT, int32_t)
        PAIR(TUTTI_INT64_INT, int64_t)
    case TUTTI_FLOAT16: return half_is_right(false, op, x, y, result);
    default: return half_is_right(true, op, x, y, result);
    }
}

/* Random bytes make every kind of number but a valid long double, and hardly ever ties: both by hand. */
static void fill(unsigned char *buffer, size_t count, tutti_type type)
{
    const size_t bytes = tti_element_bytes(type);
    for (size_t i = 0; i < count * bytes; i++)
        buffer[i] = (unsigned char)random_bits();
    for (size_t i = 0; i < count; i++) {
        const long double wild = (long double)(int64_t)random_bits() * 0x1p-40L;
        if (type == TUTTI_LONG_DOUBLE)
            memcpy(buffer + i * bytes, &wild, sizeof wild);
        else if (random_bits() % 4 == 0)
            memset(buffer + i * bytes, 0, type >= TUTTI_FLOAT_INT ? bytes / 2 : bytes);
    }
}

static void test_one(tutti_type type, int op, size_t count, size_t shift)
{
    static _Alignas(64) unsigned char in[SPACE], before[SPACE], inout[SPACE];
    const size_t bytes = tti_element_bytes(type), used = count * bytes;
    fill(in + shift, count, type);
    memset(before, 0xa5, SPACE);
    fill(before + 2 * shift, count, type);
    memcpy(inout, before, SPACE);
    tti_element_reduce(in + shift, inout + 2 * shift, count, type, TUTTI_OP_CONSTANT(op));
    for (size_t i = 0; i < used; i += bytes)
        EXPECT(is_right(type, op, in + shift + i, before + 2 * shift + i, inout + 2 * shift + i));
    EXPECT(memcmp(inout, before, 2 * shift) == 0);
    EXPECT(memcmp(inout + 2 * shift + used, before + 2 * shift + used, SPACE - 2 * shift - used) == 0);
}

static void test_values(void)
{
    int admitted = 0;
    for (tutti_type type = TUTTI_INT8; type <= TUTTI_INT64_INT; type++)
        for (int op = TTI_OP_SUM; op < TTI_OP_COUNT; op++) {
            if (tti_element_check("a call", type, TUTTI_OP_CONSTANT(op)) != 0) continue;
            admitted++;
            for (size_t count = 0; count <= COUNT_MAX; count++)
                for (size_t shift = 0; shift < 8; shift += count % 5 == 0 ? 1 : 3)
                    test_one(type, op, count, shift);
        }
    EXPECT(admitted == 8 * 10 + 5 * 4 + 2 * 2 + 4 * 2);
}

static void test_halves(void)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const uint16_t half = (uint16_t)bits, minus_zero = 0x8000;
        uint16_t sum = half, brain_sum = half;
        tti_element_reduce(&minus_zero, &sum, 1, TUTTI_FLOAT16, TUTTI_SUM);
        tti_element_reduce(&minus_zero, &brain_sum, 1, TUTTI_BFLOAT16, TUTTI_SUM);
        EXPECT(sum == half || isnan(reference_from_half(half)));
        EXPECT(isnan(reference_from_half(half)) == isnan(reference_from_half(sum)));
        EXPECT(brain_sum == half || isnan(reference_from_bfloat(half)));
        EXPECT(isnan(reference_from_bfloat(half)) == isnan(reference_from_bfloat(brain_sum)));
    }
}

static void test_wrap(void)
{
    int32_t a = INT32_MAX, b = 1;
    tti_element_reduce(&a, &b, 1, TUTTI_INT32, TUTTI_SUM);
    EXPECT(b == INT32_MIN);
    uint16_t c = 65535, d = 65535;
    tti_element_reduce(&c, &d, 1, TUTTI_UINT16, TUTTI_PROD);
    EXPECT(d == 1);
    int64_t e = INT64_MIN, f = -1;
    tti_element_reduce(&e, &f, 1, TUTTI_INT64, TUTTI_PROD);
    EXPECT(f == INT64_MIN);
}

static bool says(const char *words)
{
    return strstr(tutti_error_detail(), words) != NULL;
}

static void test_check(void)
{
    EXPECT(tti_element_bytes(TUTTI_INT64_INT) == 16 && tti_element_bytes(TUTTI_FLOAT_INT) == 8);
    EXPECT(tti_element_bytes(tutti_type_bytes(24)) == 24 && tti_element_bytes(tutti_type_bytes(0)) == 0);
    EXPECT(tti_element_bytes(tutti_type_bytes(UINT32_MAX)) == UINT32_MAX);
    EXPECT(tti_element_bytes(0) == 0 && tti_element_bytes(TUTTI_INT64_INT + 1) == 0);
    EXPECT(tti_element_bytes(UINT64_MAX) == 0);
    EXPECT(tti_element_check("a call", 99, TUTTI_SUM) == TUTTI_ERR_TYPE && says("0x63") && says("a call"));
    EXPECT(tti_element_check("a call", TUTTI_DOUBLE, TUTTI_BAND) == TUTTI_ERR_TYPE && says("band") &&
           says("double"));
    EXPECT(tti_element_check("a call", TUTTI_DOUBLE_COMPLEX, TUTTI_MIN) == TUTTI_ERR_TYPE &&
           says("double complex"));
    EXPECT(tti_element_check("a call", TUTTI_INT32, TUTTI_MINLOC) == TUTTI_ERR_TYPE && says("pairs"));
    EXPECT(tti_element_check("a call", TUTTI_INT32_INT, TUTTI_SUM) == TUTTI_ERR_TYPE && says("(int32, int)"));
    EXPECT(tti_element_check("a call", tutti_type_bytes(24), TUTTI_SUM) == TUTTI_ERR_TYPE && says("opaque"));
    EXPECT(tti_element_check("a call", TUTTI_INT32, TUTTI_REPLACE) == TUTTI_ERR_OP && says("replace"));
    EXPECT(tti_element_check("a call", TUTTI_INT32, TUTTI_NO_OP) == TUTTI_ERR_OP && says("no-op"));
    EXPECT(tti_element_check("a call", TUTTI_INT32, NULL) == TUTTI_ERR_OP);
    EXPECT(!tti_element_is_builtin(NULL));
}

int main(void)
{
    test_values();
    test_halves();
    test_wrap();
    test_check();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements that reductions of a mixture combine, and how to combine them one by one, as the standard to which
 * a library's result is held. All are small whole numbers, so that no order of combining rounds or overflows.
 */
#ifndef TESTS_JOB_NUMBERS_H
#define TESTS_JOB_NUMBERS_H

#include "tests/job/job.h"

/* An element's value: the second part is the index of pair types, or b of the map x -> a x + b. */
struct number {
    int64_t a, b;
};

enum class_of_type { WHOLE, REAL, PAIR, MAP };

static const struct number_type {
    tutti_type type;
    size_t width;
    enum class_of_type class;
} number_types[] = {
    {TUTTI_INT8, 1, WHOLE},  {TUTTI_UINT16, 2, WHOLE},   {TUTTI_INT32, 4, WHOLE},
    {TUTTI_INT64, 8, WHOLE}, {TUTTI_UINT64, 8, WHOLE},   {TUTTI_FLOAT, 4, REAL},
    {TUTTI_DOUBLE, 8, REAL}, {TUTTI_INT32_INT, 8, PAIR}, {TUTTI_TYPE_BYTES(8), 8, MAP},
};
#define NUMBER_TYPES (sizeof number_types / sizeof number_types[0])

/* One map after another: does not commute. Both parts are modulo 2^32. */
static inline struct number number_compose(struct number l, struct number r)
{
    return (struct number){(uint32_t)((uint64_t)l.a * (uint64_t)r.a),
                           (uint32_t)((uint64_t)l.a * (uint64_t)r.b + (uint64_t)l.b)};
}

static inline void number_compose_all(const void *in, void *inout, size_t count, void *context)
{
    const uint32_t *l = in;
    uint32_t *r = inout;
    (void)context;
    for (size_t i = 0; i < count; i++, l += 2, r += 2) {
        const struct number both = number_compose((struct number){l[0], l[1]}, (struct number){r[0], r[1]});
        r[0] = (uint32_t)both.a;
        r[1] = (uint32_t)both.b;
    }
}

/* The operation on maps; made by the program. */
static tutti_op *number_map_op;

static inline tutti_op *number_draw_op(const struct number_type *type, uint64_t *state)
{
    tutti_op *const ops[] = {TUTTI_SUM, TUTTI_MIN,  TUTTI_MAX, TUTTI_PROD, TUTTI_LAND,
                             TUTTI_LOR, TUTTI_LXOR, TUTTI_BOR, TUTTI_BAND, TUTTI_BXOR};
    const uint64_t draw = job_random(state);
    if (type->class == MAP) return number_map_op;
    if (type->class == PAIR) return draw % 2 ? TUTTI_MINLOC : TUTTI_MAXLOC;
    if (type->class == REAL) return ops[draw % 4];
    return type->width < 4 ? ops[draw % 3] : ops[draw % 10];
}

/* Element i of rank q's input. */
static inline struct number number_of(const struct number_type *type, tutti_op *op, uint64_t salt, int q,
                                      size_t i)
{
    const uint64_t mixed =
        (salt + (uint64_t)q * 1000003 + i * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    if (type->class == MAP) return (struct number){(uint32_t)(mixed >> 32) | 1, (uint32_t)(mixed >> 13)};
    if (type->class == PAIR) return (struct number){(int64_t)(mixed >> 61), q};
    return (struct number){op == TUTTI_PROD ? 1 + (int64_t)(mixed >> 63) : (int64_t)(mixed >> 62), 0};
}

static inline struct number number_combine(tutti_op *op, struct number l, struct number r)
{
    if (op == number_map_op) return number_compose(l, r);
    if (op == TUTTI_MINLOC) return r.a < l.a ? r : l; /* l is of the lower index */
    if (op == TUTTI_MAXLOC) return r.a > l.a ? r : l;
    if (op == TUTTI_SUM) return (struct number){l.a + r.a, 0};
    if (op == TUTTI_PROD) return (struct number){l.a * r.a, 0};
    if (op == TUTTI_MIN) return r.a < l.a ? r : l;
    if (op == TUTTI_MAX) return r.a > l.a ? r : l;
    if (op == TUTTI_LAND) return (struct number){l.a && r.a, 0};
    if (op == TUTTI_LOR) return (struct number){l.a || r.a, 0};
    if (op == TUTTI_LXOR) return (struct number){!l.a != !r.a, 0};
    if (op == TUTTI_BAND) return (struct number){l.a & r.a, 0};
    if (op == TUTTI_BOR) return (struct number){l.a | r.a, 0};
    return (struct number){l.a ^ r.a, 0};
}

static inline void number_store(const struct number_type *type, void *at, size_t i, struct number n)
{
    switch (type->type) {
    case TUTTI_INT8: ((int8_t *)at)[i] = (int8_t)n.a; break;
    case TUTTI_UINT16: ((uint16_t *)at)[i] = (uint16_t)n.a; break;
    case TUTTI_INT32: ((int32_t *)at)[i] = (int32_t)n.a; break;
    case TUTTI_FLOAT: ((float *)at)[i] = (float)n.a; break;
    case TUTTI_DOUBLE: ((double *)at)[i] = (double)n.a; break;
    case TUTTI_INT64:
    case TUTTI_UINT64: ((int64_t *)at)[i] = n.a; break;
    default: ((uint32_t *)at)[2 * i] = (uint32_t)n.a; ((uint32_t *)at)[2 * i + 1] = (uint32_t)n.b;
    }
}

static inline int number_is(const struct number_type *type, const void *at, size_t i, struct number n)
{
    int64_t expected;
    number_store(type, &expected, 0, n);
    return memcmp(&expected, (const unsigned char *)at + i * type->width, type->width) == 0;
}

#endif

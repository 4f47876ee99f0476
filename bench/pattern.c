/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/pattern.h"

#include <stdint.h>

/* Length of the pattern along the elements; prime, so that no power-of-two shift maps it onto itself. */
enum { PERIOD = 7 };

size_t bench_type_bytes(enum port_type type)
{
    return type == PORT_INT32 || type == PORT_FLOAT ? 4 : 8;
}

/* At one place any two ranks below 256 differ, and at most places any two at all. Along the places the
 * bytes are scattered, so that no rank's are another's from elsewhere. */
static unsigned char byte_of(size_t i, int rank, int pattern)
{
    uint32_t mixed = (uint32_t)i * 0x9e3779b1u ^ ((uint32_t)rank >> 8) * 0x85ebca6bu;
    mixed = (mixed ^ mixed >> 15) * 0xc2b2ae35u;
    return (unsigned char)((mixed >> 24) + (uint32_t)rank * 101 + (uint32_t)pattern * 53 + 1);
}

void bench_fill_bytes(void *buf, size_t bytes, int rank, int pattern)
{
    unsigned char *at = buf;
    for (size_t i = 0; i < bytes; i++)
        at[i] = byte_of(i, rank, pattern);
}

bool bench_holds(const void *buf, size_t bytes, int rank, int pattern, bench_fault *fault)
{
    const unsigned char *at = buf;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char right = byte_of(i, rank, pattern);
        if (at[i] == right) continue;
        *fault = (bench_fault){(long long)i, right, at[i]};
        return false;
    }
    return true;
}

/* Products stay 1 or -1: anything else overflows the integers at some number of ranks. */
static double value_of(size_t i, int rank, enum port_op op)
{
    size_t phase = (i + (size_t)rank) % PERIOD;
    return op == PORT_PROD ? (phase == 0 ? -1 : 1) : (double)phase + 1;
}

static double combine(double a, double b, enum port_op op)
{
    switch (op) {
    case PORT_PROD: return a * b;
    case PORT_MIN: return a < b ? a : b;
    case PORT_MAX: return a > b ? a : b;
    default: return a + b;
    }
}

static void store(void *buf, size_t i, enum port_type type, double value)
{
    switch (type) {
    case PORT_INT32: ((int32_t *)buf)[i] = (int32_t)value; break;
    case PORT_INT64: ((int64_t *)buf)[i] = (int64_t)value; break;
    case PORT_FLOAT: ((float *)buf)[i] = (float)value; break;
    default: ((double *)buf)[i] = value; break;
    }
}

static double load(const void *buf, size_t i, enum port_type type)
{
    switch (type) {
    case PORT_INT32: return ((const int32_t *)buf)[i];
    case PORT_INT64: return (double)((const int64_t *)buf)[i];
    case PORT_FLOAT: return ((const float *)buf)[i];
    default: return ((const double *)buf)[i];
    }
}

void bench_fill_elements(void *buf, size_t count, enum port_type type, enum port_op op, int rank)
{
    for (size_t i = 0; i < count; i++)
        store(buf, i, type, value_of(i, rank, op));
}

bool bench_holds_elements(const void *buf, size_t count, const bench_combination *of, bench_fault *fault)
{
    double right[PERIOD];
    for (size_t i = 0; i < PERIOD; i++) {
        right[i] = value_of(of->first + i, 0, of->op);
        for (int rank = 1; rank < of->ranks; rank++)
            right[i] = combine(right[i], value_of(of->first + i, rank, of->op), of->op);
    }
    for (size_t i = 0; i < count; i++) {
        double value = load(buf, i, of->type);
        if (value == right[i % PERIOD]) continue;
        *fault = (bench_fault){(long long)i, right[i % PERIOD], value};
        return false;
    }
    return true;
}

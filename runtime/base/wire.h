/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds-checked reading and writing of small records that cross processes (address cards). Integers are
 * little-endian. A cursor that ran out stays failed and reads zeros, so that a parser checks once at its end.
 */
#ifndef TTI_BASE_WIRE_H
#define TTI_BASE_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint8_t *at, *end;
    bool failed;
} tti_wire_out;

typedef struct {
    const uint8_t *at, *end;
    bool failed;
} tti_wire_in;

static inline void tti_wire_put(tti_wire_out *out, const void *bytes, size_t count)
{
    if (out->failed || (size_t)(out->end - out->at) < count) {
        out->failed = true;
        return;
    }
    if (count > 0) memcpy(out->at, bytes, count);
    out->at += count;
}

static inline void tti_wire_put_uint(tti_wire_out *out, uint64_t value, int width)
{
    uint8_t bytes[8];
    for (int i = 0; i < width; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    tti_wire_put(out, bytes, (size_t)width);
}

/* The next `count` bytes, in place, or NULL once the record ran out. */
static inline const void *tti_wire_take(tti_wire_in *in, size_t count)
{
    if (in->failed || (size_t)(in->end - in->at) < count) {
        in->failed = true;
        return NULL;
    }
    const void *bytes = in->at;
    in->at += count;
    return bytes;
}

static inline uint64_t tti_wire_take_uint(tti_wire_in *in, int width)
{
    const uint8_t *bytes = tti_wire_take(in, (size_t)width);
    uint64_t value = 0;
    for (int i = 0; bytes != NULL && i < width; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

#endif

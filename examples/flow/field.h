/* SPDX-License-Identifier: BSD-3-Clause */
/* The channel's state as a picture needs it, and as flow sends it to a viewer (examples/live): a message of a
 * stream is a head and then a velocity for each cell, in rows from the top. */
#ifndef FLOW_FIELD_H
#define FLOW_FIELD_H

#include <stddef.h>
#include <stdint.h>

/* In cells per step; not a number in solid cells. */
struct velocity {
    float x, y;
};

/* Numbers as they lie in memory: a magic that reads otherwise is of another byte order or format. */
struct field_head {
    uint32_t magic;         /* FIELD_MAGIC */
    uint32_t width, height; /* of the channel, in cells */
    uint32_t step, steps;   /* done, and to be done */
    float strongest;        /* vorticity that is shown in full colour, in 1/step; more than 0 */
    uint32_t unused[2];     /* 0 */
};

#define FIELD_MAGIC 0x464c5731u             /* "FLW1" */
#define FIELD_BYTES_MOST (64 * 1024 * 1024) /* longest message, eight million cells */

static inline size_t field_bytes(uint32_t width, uint32_t height)
{
    return sizeof(struct field_head) + (size_t)width * height * sizeof(struct velocity);
}

#endif

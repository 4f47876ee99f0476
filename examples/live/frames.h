/* SPDX-License-Identifier: BSD-3-Clause */
/* What a simulation streams: its last frame is held where it was received, and earlier ones are given back,
 * so that whoever looks sees the present and the simulation gets its credits. One simulation at a time. */
#ifndef LIVE_FRAMES_H
#define LIVE_FRAMES_H

#include <stdbool.h>
#include <tutti/stream.h>

#include "examples/flow/field.h"

struct frames {
    tutti_stream_context *context;
    tutti_stream_listener *listener;
    tutti_stream *stream;          /* of the simulation that is connected, or NULL */
    const struct field_head *last; /* held, with the field behind it; NULL: nothing has come yet */
    unsigned long count;           /* frames that have come */
    int told;                      /* why somebody was turned away, told last */
};

/* Listens for a simulation; `secret_file` may be NULL. False after a complaint. */
bool frames_open(struct frames *frames, const char *address, const char *secret_file);
void frames_close(struct frames *frames);

/* The velocities of the last frame. */
static inline const struct velocity *frames_field(const struct frames *frames)
{
    return (const struct velocity *)(frames->last + 1);
}

/* NULL, or what is wrong with a message that should be a frame: it may come from anybody. */
const char *frames_fault(const void *data, size_t bytes);

/* Writes "live: …" and returns false. */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

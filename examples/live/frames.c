/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/live/frames.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define SIDE_MOST 16384 /* cells, as flow has it */

bool complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("live: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

const char *frames_fault(const void *data, size_t bytes)
{
    const struct field_head *head = data;
    if (bytes < sizeof *head) return "it is shorter than a frame's head";
    if (head->magic != FIELD_MAGIC) return "it is no frame of this version and byte order";
    if (head->width < 1 || head->height < 1 || head->width > SIDE_MOST || head->height > SIDE_MOST)
        return "its sides are no channel's";
    if (bytes != field_bytes(head->width, head->height)) return "its length is not that of its cells";
    if (!isfinite(head->strongest) || head->strongest <= 0) return "its strongest vorticity is not above 0";
    return NULL;
}

static void on_open(tutti_stream *stream, void *user)
{
    struct frames *f = user;
    if (f->stream != NULL) { /* it may try again later */
        tutti_stream_abort(stream);
        return;
    }
    f->stream = stream;
    f->told = 0;
    fprintf(stderr, "live: a simulation has come: %s\n", tutti_stream_peer(stream));
}

static void on_message(tutti_stream *stream, void *data, size_t bytes, void *user)
{
    struct frames *f = user;
    const char *fault = frames_fault(data, bytes);
    if (fault == NULL && tutti_stream_hold(stream, data) != 0) fault = tutti_error_detail();
    if (fault != NULL) {
        complain("%s sent %zu bytes that are not shown: %s", tutti_stream_peer(stream), bytes, fault);
        tutti_stream_abort(stream);
        return;
    }
    if (f->last != NULL) tutti_stream_release(f->context, f->last);
    f->last = data;
    f->count++;
}

/* Its last frame stays. */
static void on_closed(tutti_stream *stream, int code, const char *why, void *user)
{
    struct frames *f = user;
    if (f->stream != stream) return;
    f->stream = NULL;
    if (code == 0)
        fprintf(stderr, "live: the simulation has ended, %lu frames have come\n", f->count);
    else
        complain("the simulation is gone: %s: %s", tutti_strerror(code), why);
}

/* Who is turned away may knock again twice a second. */
static void on_refused(int code, const char *why, void *user)
{
    struct frames *f = user;
    if (code != f->told) complain("turned away: %s: %s", tutti_strerror(code), why);
    f->told = code;
}

bool frames_open(struct frames *f, const char *address, const char *secret_file)
{
    *f = (struct frames){0};
    /* Beside the frame that is held, one may be coming in while one waits. Memory is touched as frames need.
     * The room of a second stream is for the frame that is held beyond the end of its own. */
    const tutti_stream_options options = {.buffer_bytes = FIELD_BYTES_MOST,
                                          .send_buffers = 1,
                                          .credits = 3,
                                          .max_streams = 2,
                                          .secret_file = secret_file};
    const tutti_stream_callbacks callbacks = {.on_open = on_open,
                                              .on_message = on_message,
                                              .on_closed = on_closed,
                                              .on_refused = on_refused,
                                              .user = f};
    char where[80];
    if (tutti_stream_context_create(&f->context, &options) == 0 &&
        tutti_stream_listen(f->context, address, &callbacks, &f->listener) == 0 &&
        tutti_stream_listener_address(f->listener, where, sizeof where) == 0)
        fprintf(stderr, "live: waits for a simulation at %s\n", where);
    else
        complain("%s: %s", address, tutti_error_detail());
    return f->listener != NULL;
}

void frames_close(struct frames *f)
{
    if (f->last != NULL) tutti_stream_release(f->context, f->last);
    f->last = NULL;
    tutti_stream_context_destroy(&f->context);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of the ranks' output: a stream per rank and descriptor, gathered line by line into one of the
 * launcher's two sinks, which never blocks the launcher. Used by the main thread alone. */
#ifndef TTI_LAUNCHER_RANK_OUTPUT_H
#define TTI_LAUNCHER_RANK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#define TTI_TAIL_BYTES 2048 /* kept of what a rank last wrote to stderr */

/* stdout or stderr of the launcher. */
typedef struct {
    int fd;
    bool owned;  /* fd is our own reopening, nonblocking without changing what others see */
    bool socket; /* fd is a socket: sent to without waiting */
    bool broken; /* nobody reads it any more */
    bool armed;  /* it waits for room */
    bool paused; /* too much is queued: its streams are not read */
    char *data;  /* queued bytes are start … used */
    size_t start, used, room;
    int streams; /* epoll descriptor of the streams that feed it */
} tti_sink;

typedef struct {
    int fd; /* read end of the rank's pipe, -1 once it has ended */
    tti_sink *sink;
    char tag[24]; /* put before each line */
    char *line;   /* what is not yet a whole line */
    size_t used, room;
    char *tail; /* NULL, or the last bytes that came */
    size_t tail_used;
} tti_stream;

/* Opens the sink on `fd`. Returns 0 or an exit status. */
int tti_sink_open(tti_sink *sink, int fd);
void tti_sink_close(tti_sink *sink);
/* Writes what it can. True if more is queued: wait for the descriptor to take more. */
bool tti_sink_flush(tti_sink *sink);

void tti_sink_append(tti_sink *sink, const char *bytes, size_t count);
/* True if so much is queued that its streams should not be read for now. */
bool tti_sink_is_full(const tti_sink *sink);

/* Makes a stream into `sink` and gives the end that the rank writes to, which the caller closes after the
 * start. `tag` may be "". Returns 0 or an exit status. */
int tti_stream_open(tti_stream *stream, tti_sink *sink, const char *tag, bool keep_tail, int *rank_end);
/* Reads what there is into the sink; closes the stream at its end, or if the sink is broken. */
void tti_stream_read(tti_stream *stream);
/* Hands over an unfinished line that was not continued for a while (prompts), unless lines are tagged. */
void tti_stream_flush_partial(tti_stream *stream);
/* Reads what is there without waiting. */
void tti_stream_drain(tti_stream *stream);
/* As above, and closes. */
void tti_stream_finish(tti_stream *stream);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* stdout or stderr of the launcher: a queue that never blocks it, keeps the lines of different sources apart
 * and counts whose bytes were lost if they cannot be written. Used by the main thread alone. */
#ifndef TTI_LAUNCHER_OUTPUT_SINK_H
#define TTI_LAUNCHER_OUTPUT_SINK_H

#include <stdbool.h>
#include <stddef.h>

/* Who writes into a sink: a rank's stream, or the launcher. */
typedef struct {
    size_t lost; /* bytes of its that were taken and could not be written */
} tti_source;

typedef struct {
    tti_source *from;
    size_t bytes;
} tti_piece;

typedef struct {
    int fd;
    const char *name; /* for messages: "stdout" or "stderr" */
    bool owned;       /* fd is our own reopening, nonblocking without changing what others see */
    bool socket;      /* fd is a socket: sent to without waiting */
    bool blocking;    /* fd could not be reopened: written to only where there is room, a little at a time */
    bool armed;       /* it waits for room */
    bool paused;      /* too much is queued: its streams are not read */
    bool told;        /* the user knows of `error` */
    /* errno of the write that failed for good, 0: none. From then on all is lost, so that what was written
     * has no hole. EPIPE: nobody reads it any more; EAGAIN: nobody did while there was time. */
    int error;
    char *data; /* queued bytes are start … used */
    size_t start, used, room;
    tti_piece *pieces; /* whose the queued bytes are: first … pieces_used */
    size_t first, pieces_used, pieces_room;
    tti_source *unfinished; /* whose line, not yet ended, came last; NULL: the next byte begins a line */
    tti_source own;         /* the launcher itself */
    int streams;            /* epoll descriptor of the streams that feed it */
} tti_sink;

/* Opens the sink on `fd`. Returns 0 or an exit status. */
int tti_sink_open(tti_sink *sink, int fd, const char *name);
void tti_sink_close(tti_sink *sink);

/* Queues bytes of `from`, on a new line if somebody else's line is unfinished. */
void tti_sink_append(tti_sink *sink, tti_source *from, const char *bytes, size_t count);
/* True if the last line is unfinished and not of `from`. */
bool tti_sink_is_taken(const tti_sink *sink, const tti_source *from);
/* Writes what it can. True if more is queued: wait for the descriptor to take more. */
bool tti_sink_flush(tti_sink *sink);
/* Counts what is queued as lost, and all that follows; `error` becomes the sink's. */
void tti_sink_give_up(tti_sink *sink, int error);
/* True if so much is queued that its streams should not be read for now. */
bool tti_sink_is_full(const tti_sink *sink);

/* Makes an array of `size`-byte items hold `need` of them. False without memory; it is unchanged then. */
bool tti_sink_reserve(void **items, size_t *room, size_t need, size_t size);

#endif

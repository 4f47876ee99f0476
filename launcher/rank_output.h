/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of the ranks' output: a stream per rank and descriptor, gathered line by line into one of the
 * launcher's two sinks. Used by the main thread alone. */
#ifndef TTI_LAUNCHER_RANK_OUTPUT_H
#define TTI_LAUNCHER_RANK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "launcher/output_sink.h"

#define TTI_TAIL_BYTES 2048 /* kept of what a rank last wrote to stderr */

typedef struct {
    int fd; /* read end of the rank's pipe, -1 once it has ended */
    tti_sink *sink;
    char tag[24]; /* put before each line */
    char *line;   /* what is not yet a whole line */
    size_t used, room;
    int64_t held_since; /* tti_clock_ns() when the first byte of it came, or when we last did not read on */
    tti_source source;
    char *tail; /* NULL, or the last bytes that came */
    size_t tail_used;
} tti_rank_output;

/* Makes a stream into `sink` and gives the end that the rank writes to, which the caller closes after the
 * start. `tag` may be "". Returns 0 or an exit status. */
int tti_rank_output_open(tti_rank_output *stream, tti_sink *sink, const char *tag, bool keep_tail,
                         int *rank_end);
/* Reads what there is into the sink; closes the stream at its end, or if the sink is broken. */
void tti_rank_output_read(tti_rank_output *stream);
/* Hands over a line that was held for a while and that the rank itself left unfinished (a prompt), unless
 * lines are tagged. Returns when to look again, INT64_MAX if nothing is held. */
int64_t tti_rank_output_show_partial(tti_rank_output *stream, int64_t now);
/* Reads what is there without waiting. */
void tti_rank_output_drain(tti_rank_output *stream);
/* As above, and closes. */
void tti_rank_output_finish(tti_rank_output *stream);

#endif

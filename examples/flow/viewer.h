/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0's stream to a viewer (examples/live). The viewer may be slow, stopped, dead, restarted, or not there
 * at all: the steps of the simulation never wait for it. Only their beginning does, for a second at most
 * where somebody listens, and their end. What it has no room for is dropped and counted. */
#ifndef FLOW_VIEWER_H
#define FLOW_VIEWER_H

#include <stdbool.h>
#include <stddef.h>
#include <tutti/stream.h>

#include "examples/flow/parameters.h"

#define VIEWER_FRAMES 2 /* in memory: the next is filled while one is on its way */

struct viewer {
    tutti_stream_context *context;
    tutti_stream *stream;          /* NULL: there is none, and it is not being tried */
    bool open, full;               /* connected; has no room, until on_ready */
    bool under_way[VIEWER_FRAMES]; /* the network reads this frame's memory */
    char *frames[VIEWER_FRAMES];   /* the caller's memory */
    size_t bytes;                  /* of a frame */
    const char *address;           /* as the user gave it */
    double next_try;               /* when to connect again, as tutti_wtime() */
    int told;                      /* the reason for a stream's end that was told last */
    long sent, dropped, without;   /* frames: on their way; no room for them; nobody there */
};

/* Connects, if there is a viewer, or goes on trying later. `frames` of `bytes` each must stay until
 * viewer_close(). False after a complaint: what the user gave cannot ever work. */
bool viewer_open(struct viewer *viewer, const struct parameters *parameters, char *frames[VIEWER_FRAMES],
                 size_t bytes);
/* To be called often: what there is to do, without waiting. */
void viewer_look(struct viewer *viewer);
/* The frame that may be filled now, or -1: this one is dropped, which is counted. `last`: there is a second.
 */
int viewer_choose(struct viewer *viewer, bool last);
/* Sends the frame that viewer_choose() gave. */
void viewer_send(struct viewer *viewer, int frame);
/* Gives the viewer a second to take what is on its way, and tells the counts. */
void viewer_close(struct viewer *viewer);

#endif

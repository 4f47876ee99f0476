/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames for a viewer, every so many steps: rank 0 asks its stream (viewer.h) whether there is room, and if
 * so every rank puts its block straight into the memory that the stream sends from. */
#ifndef FLOW_FEED_H
#define FLOW_FEED_H

#include <tutti/tutti.h>

#include "examples/flow/field.h"
#include "examples/flow/lattice.h"
#include "examples/flow/obstacle.h"
#include "examples/flow/viewer.h"

struct feed {
    tutti_comm *world;
    const struct parameters *parameters;
    const struct obstacle *obstacle;
    const struct block *block;
    tutti_window *window; /* at rank 0: a signal, then the frames. NULL: there is no viewer to feed */
    char *memory;         /* what it is on, at rank 0 */
    size_t pitch;         /* from frame to frame, in bytes */
    uint64_t gathered;    /* frames so far */
    struct velocity *row; /* of the block */
    struct viewer viewer; /* at rank 0 */
};

/* Collective, as all of these. False at every rank if rank 0 has complained. Without --live nothing is done,
 * here or later. */
bool feed_open(struct feed *feed, tutti_comm *world, const struct parameters *parameters,
               const struct obstacle *obstacle, const struct block *block);
/* After each step. */
void feed_step(struct feed *feed, const struct lattice *lattice, int step);
void feed_close(struct feed *feed);

#endif

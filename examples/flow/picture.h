/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture of the vorticity, in a file. */
#ifndef FLOW_PICTURE_H
#define FLOW_PICTURE_H

#include <stdbool.h>

#include "examples/flow/field.h"
#include "examples/flow/lattice.h"
#include "examples/flow/obstacle.h"

/* Writes a PNG, painted as paint() does. False after a complaint. */
bool picture_write(const char *path, const struct obstacle *obstacle, const struct cell *channel,
                   double strongest);

/* What a picture needs of the cell at `place` of the channel. */
struct velocity picture_velocity(const struct obstacle *obstacle, size_t place, struct cell cell);

#endif

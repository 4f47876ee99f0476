/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture of the vorticity: which way, and how fast, the fluid turns. */
#ifndef FLOW_PICTURE_H
#define FLOW_PICTURE_H

#include <stdbool.h>

#include "examples/flow/lattice.h"
#include "examples/flow/obstacle.h"

/* Writes a PNG: blue turns one way, red the other, the deeper the faster, full at `strongest` (in 1/step);
 * solid cells are dark. False after a complaint. */
bool picture_write(const char *path, const struct obstacle *obstacle, const struct cell *channel,
                   double strongest);

#endif

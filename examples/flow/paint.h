/* SPDX-License-Identifier: BSD-3-Clause */
/* The colours of the vorticity: which way, and how fast, the fluid turns. */
#ifndef FLOW_PAINT_H
#define FLOW_PAINT_H

#include "examples/common/colours.h"
#include "examples/flow/field.h"

/* A pixel for each cell of the field: blue turns one way, red the other, the deeper the faster, full at
 * `strongest` (in 1/step); solid cells are dark. */
void paint(const struct velocity *field, int width, int height, double strongest, struct colour *pixels);

#endif

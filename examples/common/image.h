/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures in files. */
#ifndef EXAMPLES_IMAGE_H
#define EXAMPLES_IMAGE_H

#include <stdbool.h>

#include "examples/common/colours.h"

/* Whether a file can be written there: better told before than after a simulation. False after a complaint.
 */
bool image_writable(const char *path);

/* Writes a PNG: pixels in rows from the top. False after a complaint; then an earlier file is still there. */
bool image_write(const char *path, int width, int height, const struct colour *pixels);

#endif

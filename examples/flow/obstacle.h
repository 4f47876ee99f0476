/* SPDX-License-Identifier: BSD-3-Clause */
/* The channel as the user drew it: one pixel a cell, dark is solid. */
#ifndef FLOW_OBSTACLE_H
#define FLOW_OBSTACLE_H

#include <stdbool.h>

struct obstacle {
    int width, height;
    unsigned char *solid; /* width × height, rows from the top; nonzero is solid. free() it */
};

/* Reads a PNG or a binary PGM. False after a complaint. */
bool obstacle_read(const char *path, struct obstacle *obstacle);

#endif

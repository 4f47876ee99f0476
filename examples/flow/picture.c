/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/picture.h"

#include <math.h>
#include <stdlib.h>

#include "examples/common/image.h"
#include "examples/common/mishap.h"
#include "examples/flow/paint.h"

struct velocity picture_velocity(const struct obstacle *o, size_t place, struct cell cell)
{
    if (o->solid[place]) return (struct velocity){NAN, NAN};
    return (struct velocity){(float)cell.velocity_x, (float)cell.velocity_y};
}

bool picture_write(const char *path, const struct obstacle *o, const struct cell *channel, double strongest)
{
    const size_t cells = (size_t)o->width * (size_t)o->height;
    struct velocity *field = allocate(cells, sizeof *field);
    struct colour *pixels = allocate(cells, sizeof *pixels);
    for (size_t i = 0; i < cells; i++)
        field[i] = picture_velocity(o, i, channel[i]);
    paint(field, o->width, o->height, strongest, pixels);
    const bool written = image_write(path, o->width, o->height, pixels);
    free(pixels);
    free(field);
    return written;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/picture.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>

#include "examples/flow/mishap.h"
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
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)o->width,
                       .height = (png_uint_32)o->height,
                       .format = PNG_FORMAT_RGB};
    const bool written = png_image_write_to_file(&image, path, 0, pixels, 0, NULL) != 0;
    free(pixels);
    free(field);
    return written || complain("cannot write %s: %s", path, image.message);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/picture.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>

#include "examples/flow/mishap.h"

struct colour {
    unsigned char red, green, blue;
};

/* From one extreme over white to the other; both arms grow darker alike, so that it reads in grey as well. */
static const struct colour map[] = {
    {8, 29, 88},     {24, 74, 150},   {49, 124, 192}, {120, 178, 220}, {198, 222, 240}, {250, 249, 246},
    {252, 219, 192}, {246, 164, 120}, {220, 92, 66},  {172, 30, 45},   {92, 4, 32},
};
static const struct colour stone = {38, 40, 46};

static unsigned char blend(unsigned char a, unsigned char b, double share)
{
    return (unsigned char)lround(a + (b - a) * share);
}

/* Colour of a value in -1 … 1. */
static struct colour colour_of(double value)
{
    const int last = (int)(sizeof map / sizeof *map) - 1;
    const double place = (fmin(fmax(value, -1), 1) + 1) / 2 * last;
    const int below = place < last ? (int)place : last - 1;
    const struct colour a = map[below], b = map[below + 1];
    const double share = place - below;
    return (struct colour){blend(a.red, b.red, share), blend(a.green, b.green, share),
                           blend(a.blue, b.blue, share)};
}

/* Rotation of the velocity at x, y, by differences between neighbours; one-sided at the edges. */
static double vorticity(const struct obstacle *o, const struct cell *channel, int x, int y)
{
    const int left = x > 0 ? x - 1 : x, right = x < o->width - 1 ? x + 1 : x;
    const int up = y > 0 ? y - 1 : y, down = y < o->height - 1 ? y + 1 : y;
    const struct cell *row = channel + (size_t)y * (size_t)o->width;
    const double above = channel[(size_t)up * (size_t)o->width + (size_t)x].velocity_x;
    const double below = channel[(size_t)down * (size_t)o->width + (size_t)x].velocity_x;
    return (row[right].velocity_y - row[left].velocity_y) / (right - left) - (below - above) / (down - up);
}

bool picture_write(const char *path, const struct obstacle *o, const struct cell *channel, double strongest)
{
    struct colour *pixels = allocate((size_t)o->width * (size_t)o->height, sizeof *pixels), *pixel = pixels;
    for (int y = 0; y < o->height; y++)
        for (int x = 0; x < o->width; x++, pixel++) {
            const double turn = vorticity(o, channel, x, y) / strongest;
            /* A power below 1 brings out what is weak, far behind the obstacle. */
            *pixel = o->solid[pixel - pixels] ? stone : colour_of(copysign(pow(fabs(turn), 0.7), turn));
        }
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)o->width,
                       .height = (png_uint_32)o->height,
                       .format = PNG_FORMAT_RGB};
    const bool written = png_image_write_to_file(&image, path, 0, pixels, 0, NULL) != 0;
    free(pixels);
    return written || complain("cannot write %s: %s", path, image.message);
}

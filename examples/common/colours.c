/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/common/colours.h"

#include <math.h>

/* From one extreme over white to the other; both arms grow darker alike, so that it reads in grey as well. */
static const struct colour map[] = {
    {8, 29, 88},     {24, 74, 150},   {49, 124, 192}, {120, 178, 220}, {198, 222, 240}, {250, 249, 246},
    {252, 219, 192}, {246, 164, 120}, {220, 92, 66},  {172, 30, 45},   {92, 4, 32},
};

static unsigned char blend(unsigned char a, unsigned char b, double share)
{
    return (unsigned char)lround(a + (b - a) * share);
}

/* Colour of a value in -1 … 1. */
static struct colour colour_of(double value)
{
    const int last = (int)(sizeof map / sizeof *map) - 1;
    const double place = (value + 1) / 2 * last;
    const int below = place < last ? (int)place : last - 1;
    const struct colour a = map[below], b = map[below + 1];
    const double share = place - below;
    return (struct colour){blend(a.red, b.red, share), blend(a.green, b.green, share),
                           blend(a.blue, b.blue, share)};
}

/* Beforehand, as pow() for each pixel would take longer than all the rest. */
void shades_mix(struct shades *shades)
{
    for (int i = -SHADES; i <= SHADES; i++) {
        const double value = (double)i / SHADES;
        /* A power below 1 brings out what is weak. */
        shades->colours[i + SHADES] = colour_of(copysign(pow(fabs(value), 0.7), value));
    }
}

struct colour shades_colour(const struct shades *shades, double value)
{
    return shades->colours[SHADES + lround(fmin(fmax(value, -1), 1) * SHADES)];
}

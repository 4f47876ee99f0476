/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/paint.h"

#include <math.h>

/* From one extreme over white to the other; both arms grow darker alike, so that it reads in grey as well. */
static const struct colour map[] = {
    {8, 29, 88},     {24, 74, 150},   {49, 124, 192}, {120, 178, 220}, {198, 222, 240}, {250, 249, 246},
    {252, 219, 192}, {246, 164, 120}, {220, 92, 66},  {172, 30, 45},   {92, 4, 32},
};
static const struct colour stone = {38, 40, 46};

#define SHADES 1024 /* on each side of no turning: more than a screen shows */

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

/* Made once a picture, as pow() for each pixel would take longer than all the rest. */
static void mix(struct colour shades[2 * SHADES + 1])
{
    for (int i = -SHADES; i <= SHADES; i++) {
        const double turn = (double)i / SHADES;
        /* A power below 1 brings out what is weak, far behind the obstacle. */
        shades[i + SHADES] = colour_of(copysign(pow(fabs(turn), 0.7), turn));
    }
}

/* In a wall, or beside one, the fluid is at rest. */
static float still(float velocity)
{
    return isnan(velocity) ? 0 : velocity;
}

/* Rotation of the velocity at x, y, by differences between neighbours; one-sided at the edges. */
static double vorticity(const struct velocity *field, int width, int height, int x, int y)
{
    const int left = x > 0 ? x - 1 : x, right = x < width - 1 ? x + 1 : x;
    const int up = y > 0 ? y - 1 : y, down = y < height - 1 ? y + 1 : y;
    const struct velocity *row = field + (size_t)y * (size_t)width;
    const double above = still(field[(size_t)up * (size_t)width + (size_t)x].x);
    const double below = still(field[(size_t)down * (size_t)width + (size_t)x].x);
    return (still(row[right].y) - still(row[left].y)) / (right - left) - (below - above) / (down - up);
}

void paint(const struct velocity *field, int width, int height, double strongest, struct colour *pixels)
{
    struct colour shades[2 * SHADES + 1];
    mix(shades);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, pixels++) {
            const double turn = vorticity(field, width, height, x, y) / strongest;
            const double place = fmin(fmax(turn, -1), 1) * SHADES;
            *pixels = isnan(field[(size_t)y * (size_t)width + (size_t)x].x) ? stone
                                                                            : shades[SHADES + lround(place)];
        }
}

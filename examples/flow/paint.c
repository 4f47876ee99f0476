/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/paint.h"

#include <math.h>
#include <stdbool.h>

static const struct colour stone = {38, 40, 46};

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
    struct shades shades;
    shades_mix(&shades);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, pixels++) {
            const double turn = vorticity(field, width, height, x, y) / strongest;
            const bool solid = isnan(field[(size_t)y * (size_t)width + (size_t)x].x);
            *pixels = solid ? stone : shades_colour(&shades, turn);
        }
}

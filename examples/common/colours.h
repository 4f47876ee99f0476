/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours for numbers of both signs: blue on one side, red on the other, the deeper the larger. */
#ifndef EXAMPLES_COLOURS_H
#define EXAMPLES_COLOURS_H

struct colour {
    unsigned char red, green, blue;
};

#define SHADES 1024 /* on each side of zero: more than a screen shows */

struct shades {
    struct colour colours[2 * SHADES + 1];
};

/* To be done once a picture. */
void shades_mix(struct shades *shades);

/* Colour of a value; from -1 and 1 on it is full. */
struct colour shades_colour(const struct shades *shades, double value);

#endif

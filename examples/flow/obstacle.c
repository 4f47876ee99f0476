/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/obstacle.h"

#include <ctype.h>
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/mishap.h"

#define SIDE_LEAST 16
#define SIDE_MOST 16384

static bool check_size(const char *path, long width, long height)
{
    if (width >= SIDE_LEAST && width <= SIDE_MOST && height >= SIDE_LEAST && height <= SIDE_MOST) return true;
    return complain("obstacle %s is %ld x %ld pixels: each side must have %d to %d", path, width, height,
                    SIDE_LEAST, SIDE_MOST);
}

static bool read_png(const char *path, struct obstacle *o)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        return complain("obstacle %s: %s", path, image.message);
    if (!check_size(path, image.width, image.height)) {
        png_image_free(&image);
        return false;
    }
    image.format = PNG_FORMAT_GRAY;
    o->width = (int)image.width;
    o->height = (int)image.height;
    o->solid = allocate(image.width, image.height);
    memset(o->solid, 255, PNG_IMAGE_SIZE(image)); /* what shows through transparent pixels: fluid */
    if (png_image_finish_read(&image, NULL, o->solid, 0, NULL)) return true;
    return complain("obstacle %s: %s", path, image.message);
}

/* Next character of a PGM header that is not in a comment. */
static int header_character(FILE *file)
{
    int c = fgetc(file);
    if (c == '#')
        while (c != '\n' && c != EOF)
            c = fgetc(file);
    return c;
}

/* Next number of a PGM header and the one blank after it; -1 if there is none or it is absurd. */
static long header_number(FILE *file)
{
    long value = 0;
    int digits = 0, c = header_character(file);
    while (isspace(c))
        c = header_character(file);
    for (; isdigit(c) && digits < 6; digits++, c = header_character(file))
        value = 10 * value + (c - '0');
    return digits > 0 && isspace(c) ? value : -1;
}

static bool read_pgm(const char *path, FILE *file, struct obstacle *o)
{
    const long width = header_number(file), height = header_number(file);
    const long brightest = header_number(file);
    if (width < 0 || height < 0 || brightest < 1 || brightest > 255)
        return complain("obstacle %s: its PGM header is damaged, or not of 8 bits a pixel", path);
    if (!check_size(path, width, height)) return false;
    const size_t pixels = (size_t)width * (size_t)height;
    o->width = (int)width;
    o->height = (int)height;
    o->solid = allocate(pixels, 1);
    const size_t got = fread(o->solid, 1, pixels, file);
    if (got < pixels)
        return complain("obstacle %s ends after %zu of its %ld x %ld pixels", path, got, width, height);
    for (size_t i = 0; i < pixels; i++)
        o->solid[i] = (unsigned char)(o->solid[i] * 255 / brightest);
    return true;
}

bool obstacle_read(const char *path, struct obstacle *o)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return complain("cannot read obstacle %s: %s", path, strerror(errno));
    char magic[2] = "";
    const bool any = fread(magic, 1, 2, file) == 2;
    bool good;
    if (any && memcmp(magic, "P5", 2) == 0)
        good = read_pgm(path, file, o);
    else if (any && memcmp(magic, "\x89P", 2) == 0)
        good = read_png(path, o);
    else
        good = complain("obstacle %s is neither a PNG nor a binary PGM (P5)", path);
    fclose(file);
    if (!good) return false;
    for (int i = 0; i < o->width * o->height; i++)
        o->solid[i] = o->solid[i] < 128;
    return true;
}

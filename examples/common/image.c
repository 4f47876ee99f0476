/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/common/image.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#include "examples/common/mishap.h"

bool image_writable(const char *path)
{
    FILE *file = fopen(path, "ab");
    if (file == NULL) return complain("cannot write %s: %s", path, strerror(errno));
    fclose(file);
    return true;
}

bool image_write(const char *path, int width, int height, const struct colour *pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    return png_image_write_to_file(&image, path, 0, pixels, 0, NULL) != 0 ||
           complain("cannot write %s: %s", path, image.message);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/common/image.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "examples/common/mishap.h"

/* Where a picture goes: beside its place under another name, and there by a rename, so that an earlier one is
 * lost neither on a full disk nor for readers that come meanwhile. */
struct place {
    char *path;      /* of the file itself, behind links */
    char *temporary; /* NULL: written straight */
    FILE *file;
};

/* A pipe is not tried: opened and closed it would have ended for its reader. */
bool image_writable(const char *path)
{
    struct stat about;
    const bool pipe = stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
    FILE *file = pipe ? NULL : fopen(path, "ab");
    if (pipe ? access(path, W_OK) != 0 : file == NULL)
        return complain("cannot write %s: %s", path, strerror(errno));
    if (file != NULL) fclose(file);
    return true;
}

/* Under the other name a file has the access rights of the one that it replaces. */
static FILE *open_temporary(struct place *place)
{
    const size_t room = strlen(place->path) + sizeof ".XXXXXX";
    place->temporary = malloc(room);
    if (place->temporary == NULL) return NULL;
    snprintf(place->temporary, room, "%s.XXXXXX", place->path);
    const int descriptor = mkstemp(place->temporary);
    if (descriptor < 0) return NULL;
    const mode_t mask = umask(0);
    umask(mask);
    struct stat old;
    const mode_t mode = stat(place->path, &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask;
    if (fchmod(descriptor, mode) != 0) { /* then it stays private: no reason to lose the picture */
    }
    FILE *file = fdopen(descriptor, "wb");
    if (file != NULL) return file;
    close(descriptor);
    unlink(place->temporary);
    return NULL;
}

static void forget(struct place *place)
{
    free(place->temporary);
    free(place->path);
}

/* Devices and pipes are written straight, and what lies in a folder where nothing can be made. */
static bool open_place(struct place *place, const char *path)
{
    *place = (struct place){0};
    struct stat about;
    const bool special = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    place->path = special ? NULL : realpath(path, NULL);
    if (place->path == NULL) place->path = strdup(path);
    if (place->path != NULL && !special) place->file = open_temporary(place);
    if (place->path != NULL && (special || (place->file == NULL && errno == EACCES))) {
        free(place->temporary);
        place->temporary = NULL;
        place->file = fopen(place->path, "wb");
    }
    if (place->file != NULL) return true;
    const int error = errno;
    forget(place);
    errno = error;
    return false;
}

/* `error` is why the picture could not be written; 0: it was. The same of the place. */
static int close_place(struct place *place, int error)
{
    if (fflush(place->file) != 0 && error == 0) error = errno;
    if (fclose(place->file) != 0 && error == 0) error = errno;
    if (place->temporary != NULL) {
        if (error == 0 && rename(place->temporary, place->path) != 0) error = errno;
        if (error != 0) unlink(place->temporary);
    }
    forget(place);
    return error;
}

bool image_write(const char *path, int width, int height, const struct colour *pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    struct place place;
    if (!open_place(&place, path)) return complain("cannot write %s: %s", path, strerror(errno));
    errno = 0; /* libpng, which does not tell why, leaves it as the write that failed had it */
    const bool written = png_image_write_to_stdio(&image, place.file, 0, pixels, 0, NULL) != 0;
    const int error = close_place(&place, written ? 0 : errno != 0 ? errno : EIO);
    return error == 0 || complain("cannot write %s: %s", path, strerror(error));
}

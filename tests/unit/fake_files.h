/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel tells in files, as a test would have it. The program is linked with --wrap=fopen. */
#ifndef TESTS_UNIT_FAKE_FILES_H
#define TESTS_UNIT_FAKE_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *path, *text;
} fake_file;

/* The files that there are; the last one has no path. */
static const fake_file *fake_files;

FILE *__wrap_fopen(const char *path, const char *mode);

FILE *__wrap_fopen(const char *path, const char *mode)
{
    (void)mode;
    for (const fake_file *file = fake_files; file->path != NULL; file++)
        if (strcmp(file->path, path) == 0)
            return fmemopen((void *)(uintptr_t)file->text, strlen(file->text), "r");
    return NULL;
}

#endif

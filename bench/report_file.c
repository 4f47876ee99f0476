/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/report_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/report.h"

static bool complain(const char *path)
{
    fprintf(stderr, "tutti-bench: %s: %s (nothing was written there)\n", path, strerror(errno));
    return false;
}

/* Devices and pipes, and links, which keep their target: /dev/stdout is a link, and a rename would put a file
 * in its place where standard output is a file. */
static bool is_written_straight(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static bool is_open_as(const char *path, int fd)
{
    struct stat named, opened;
    return stat(path, &named) == 0 && fstat(fd, &opened) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
}

/* Behind what was said there already, and without a change where it is only tried. */
static FILE *open_straight(const char *path, bool trial)
{
    return fopen(path,
                 trial || is_open_as(path, STDOUT_FILENO) || is_open_as(path, STDERR_FILENO) ? "a" : "w");
}

static FILE *open_temporary(bench_file *file)
{
    if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
        file->temporary = NULL;
        return NULL;
    }
    int fd = mkstemp(file->temporary);
    if (fd < 0) return NULL;
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) != 0) { /* then it stays private: no reason to lose the results */
    }
    FILE *stream = fdopen(fd, "w");
    if (!stream) close(fd);
    return stream;
}

static bool open_file(bench_file *file, const char *path, bool trial)
{
    *file = (bench_file){.path = path};
    file->stream = is_written_straight(path) ? open_straight(path, trial) : open_temporary(file);
    if (file->stream) return true;
    complain(path);
    free(file->temporary);
    return false;
}

bool bench_file_open(bench_file *file, const char *path)
{
    return open_file(file, path, false);
}

bool bench_file_close(bench_file *file, bool good)
{
    int failed = ferror(file->stream) ? EIO : 0;
    if (fflush(file->stream) != 0) failed = errno;
    if (fclose(file->stream) != 0 && !failed) failed = errno;
    if (good && !failed && file->temporary && rename(file->temporary, file->path) != 0) failed = errno;
    if (file->temporary && (failed || !good)) unlink(file->temporary);
    if (good && !failed && file->temporary) fprintf(stderr, "tutti-bench: wrote %s\n", file->path);
    free(file->temporary);
    errno = failed;
    return failed ? complain(file->path) : good;
}

void bench_put_quoted(FILE *out, char quote, const char *text)
{
    fputc(quote, out);
    for (; *text; text++) {
        if (*text == quote) fputc(quote, out);
        fputc(*text, out);
    }
    fputc(quote, out);
}

bool bench_can_write(const char *path)
{
    bench_file file;
    if (!open_file(&file, path, true)) return false;
    bool device = !file.temporary;
    return !bench_file_close(&file, device) ? !device : true;
}

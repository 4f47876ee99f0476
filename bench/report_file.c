/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/report_file.h"

#include <errno.h>
#include <fcntl.h>
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
static int open_straight(const char *path, bool trial)
{
    bool behind = trial || is_open_as(path, STDOUT_FILENO) || is_open_as(path, STDERR_FILENO);
    return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (behind ? O_APPEND : O_TRUNC), 0666);
}

static int open_temporary(bench_file *file)
{
    if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
        file->temporary = NULL;
        return -1;
    }
    int fd = mkstemp(file->temporary);
    if (fd < 0) return -1;
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) != 0) { /* then it stays private: no reason to lose the results */
    }
    return fd;
}

/* A stream of the C library knows only that a write has failed; why is noted here. */
static ssize_t write_noting(void *cookie, const char *bytes, size_t count)
{
    bench_file *file = cookie;
    ssize_t written = write(file->fd, bytes, count);
    if (written >= 0) return written;
    if (!file->failed) file->failed = errno;
    return 0;
}

static int close_noting(void *cookie)
{
    return close(((bench_file *)cookie)->fd);
}

static bool open_stream(bench_file *file)
{
    const cookie_io_functions_t calls = {.write = write_noting, .close = close_noting};
    if (file->fd < 0) return false;
    file->stream = fopencookie(file, "w", calls);
    if (file->stream) return true;
    close(file->fd);
    if (file->temporary) unlink(file->temporary);
    return false;
}

static bool open_file(bench_file *file, const char *path, bool trial)
{
    *file = (bench_file){.path = path};
    file->fd = is_written_straight(path) ? open_straight(path, trial) : open_temporary(file);
    if (open_stream(file)) return true;
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
    int ended = fclose(file->stream) != 0 ? errno : 0;
    int failed = file->failed ? file->failed : ended;
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

/* A pipe that is opened and closed would have ended for its reader. */
bool bench_can_write(const char *path)
{
    bench_file file;
    struct stat about;
    if (stat(path, &about) == 0 && S_ISFIFO(about.st_mode)) return access(path, W_OK) == 0 || complain(path);
    if (!open_file(&file, path, true)) return false;
    bool device = !file.temporary;
    return !bench_file_close(&file, device) ? !device : true;
}

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

static bool is_device(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
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

bool bench_file_open(bench_file *file, const char *path)
{
    *file = (bench_file){.path = path};
    file->stream = is_device(path) ? fopen(path, "w") : open_temporary(file);
    if (file->stream) return true;
    complain(path);
    free(file->temporary);
    return false;
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
    if (!bench_file_open(&file, path)) return false;
    bool device = !file.temporary;
    return !bench_file_close(&file, device) ? !device : true;
}

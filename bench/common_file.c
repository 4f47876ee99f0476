/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/common_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/port.h"

typedef struct {
    char path[64];
} place;

static void fail(const char *test, const place *at, const char *what)
{
    char text[256];
    snprintf(text, sizeof text, "tutti-bench: %s: rank %d cannot %s %s: %s (all ranks must be on one host)",
             test, port_rank(), what, at->path, strerror(errno));
    port_abort(1, text);
}

static int create(const char *test, place *at, size_t bytes)
{
    int fd = mkostemp(at->path, O_CLOEXEC);
    if (fd < 0) fail(test, at, "create");
    if (ftruncate(fd, (off_t)bytes) != 0) {
        unlink(at->path);
        fail(test, at, "write");
    }
    return fd;
}

int bench_common_file(const char *test, const char *folder, size_t bytes)
{
    int fd = -1;
    place at;
    snprintf(at.path, sizeof at.path, "%s/tutti-bench-XXXXXX", folder);
    if (port_rank() == 0) fd = create(test, &at, bytes);
    port_call call = {.kind = PORT_BCAST, .recv = at.path, .count = sizeof at.path};
    port_collective(&call);
    if (port_rank() != 0 && (fd = open(at.path, O_RDWR | O_CLOEXEC)) < 0) fail(test, &at, "open");
    port_barrier();
    if (port_rank() == 0) unlink(at.path);
    return fd;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/common_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/port.h"

static void fail(const char *test, const char *path, const char *what)
{
    char text[256];
    snprintf(text, sizeof text, "tutti-bench: %s: rank %d cannot %s %s: %s (all ranks must be on one host)",
             test, port_rank(), what, path, strerror(errno));
    port_abort(1, text);
}

static int create(const char *test, char *path, size_t bytes)
{
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) fail(test, path, "create");
    if (ftruncate(fd, (off_t)bytes) != 0) {
        unlink(path);
        fail(test, path, "write");
    }
    return fd;
}

int bench_common_file(const char *test, const char *folder, size_t bytes)
{
    int fd = -1;
    char path[64];
    snprintf(path, sizeof path, "%s/tutti-bench-XXXXXX", folder);
    if (port_rank() == 0) fd = create(test, path, bytes);
    port_call call = {.kind = PORT_BCAST, .recv = path, .count = sizeof path};
    port_collective(&call);
    if (port_rank() != 0 && (fd = open(path, O_RDWR | O_CLOEXEC)) < 0) fail(test, path, "open");
    port_barrier();
    if (port_rank() == 0) unlink(path);
    return fd;
}

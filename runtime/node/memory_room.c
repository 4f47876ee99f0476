/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory can still be had: touching a shared page that cannot be had kills the process, so that the
 * question is asked before. */
#include "runtime/node/memory_room.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "runtime/base/cgroup.h"
#include "runtime/base/status.h"

/* As many bytes are given their pages in one call of the kernel. */
#define PIECE ((off_t)16 << 20)

/* The number after `label` in a file of "label number" lines, or the file's only number if label is "". */
static bool read_number(const char *path, const char *label, uint64_t *value)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    char line[256];
    bool found = false;
    const size_t skip = strlen(label);
    while (!found && fgets(line, sizeof line, file) != NULL)
        found = strncmp(line, label, skip) == 0 && sscanf(line + skip, "%" SCNu64, value) == 1;
    fclose(file);
    return found;
}

/* Where cgroups tell of memory: of version 2, and of version 1, on machines that have it there. */
typedef struct {
    const char *controller, *most, *used;
    const char *cached[3]; /* labels in memory.stat of what the kernel takes back where a limit is reached */
} hierarchy;

static const hierarchy hierarchies[] = {
    {"", "memory.max", "memory.current", {"inactive_file", "active_file", "slab_reclaimable"}},
    {"memory",
     "memory.limit_in_bytes",
     "memory.usage_in_bytes",
     {"total_inactive_file", "total_active_file", NULL}}};

/* The least room found so far in the cgroups of a hierarchy. */
typedef struct {
    const hierarchy *of;
    uint64_t least;
} cgroup_room;

static bool read_of_cgroup(const char *folder, const char *name, const char *label, uint64_t *value)
{
    char file[PATH_MAX + 128];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    return read_number(file, label, value);
}

/* Room below the limit of one cgroup. */
static void look(void *context, const char *folder)
{
    cgroup_room *room = context;
    const hierarchy *h = room->of;
    uint64_t most, used, cached;
    /* Version 1 has a number for no limit, of nearly 63 bits. */
    if (!read_of_cgroup(folder, h->most, "", &most) || most >> 62 != 0 ||
        !read_of_cgroup(folder, h->used, "", &used))
        return;
    for (int i = 0; i < 3 && h->cached[i] != NULL; i++)
        if (read_of_cgroup(folder, "memory.stat", h->cached[i], &cached))
            used -= cached < used ? cached : used;
    const uint64_t left = most > used ? most - used : 0;
    if (left < room->least) room->least = left;
}

int tti_node_check_room(const char *what, uint64_t need)
{
    uint64_t have = UINT64_MAX, available_kib;
    if (read_number("/proc/meminfo", "MemAvailable:", &available_kib)) have = available_kib * 1024;
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        cgroup_room room = {.of = &hierarchies[i], .least = have};
        tti_cgroup_walk(room.of->controller, look, &room);
        have = room.least;
    }
    if (need <= have) return 0;
    return tti_fail(
        TUTTI_ERR_NO_MEMORY,
        "%s needs %" PRIu64 " bytes, there are %" PRIu64
        " (MemAvailable, and the limit of the cgroup): ask for less or run fewer ranks on the node",
        what, need, have);
}

int tti_node_check_file(const char *what, uint64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= bytes)
        return 0;
    return tti_fail(TUTTI_ERR_NO_MEMORY,
                    "%s needs %" PRIu64 " bytes but files may have %" PRIu64 ": raise the limit (ulimit -f)",
                    what, bytes, (uint64_t)limit.rlim_cur);
}

/* The kernel gives up a call for each signal, and all of the call's pages with it: under a
 * profiler's timer that could go on for ever. So signals wait, but not for more than a short piece. */
int tti_node_take_pages(int fd, off_t from, off_t bytes)
{
    sigset_t all, before;
    int error = 0;
    sigfillset(&all);
    for (off_t done = 0; done < bytes && error == 0;) {
        const off_t left = bytes - done, piece = left < PIECE ? left : PIECE;
        pthread_sigmask(SIG_SETMASK, &all, &before);
        if (fallocate(fd, 0, from + done, piece) == 0)
            done += piece;
        else if (errno != EINTR)
            error = errno;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return error;
}

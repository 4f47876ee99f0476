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

/* Path of this process in the cgroup v2 tree, "" if there is none. */
static void cgroup_path(char path[PATH_MAX])
{
    path[0] = '\0';
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (file == NULL) return;
    char line[PATH_MAX];
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "0::", 3) != 0) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(path, PATH_MAX, "%s", line + 3);
    }
    fclose(file);
}

/* Room below the limit of the cgroup at `path` and all above it. */
static uint64_t cgroup_room(char path[PATH_MAX])
{
    uint64_t room = UINT64_MAX;
    for (;;) {
        char file[PATH_MAX + 64];
        uint64_t most, used;
        snprintf(file, sizeof file, "/sys/fs/cgroup%s/memory.max", path);
        const bool limited = read_number(file, "", &most);
        snprintf(file, sizeof file, "/sys/fs/cgroup%s/memory.current", path);
        if (limited && read_number(file, "", &used)) {
            const uint64_t left = most > used ? most - used : 0;
            if (left < room) room = left;
        }
        char *slash = strrchr(path, '/');
        if (slash == NULL) return room;
        *slash = '\0';
    }
}

int tti_node_check_room(const char *what, uint64_t need)
{
    uint64_t have = UINT64_MAX, available_kib;
    if (read_number("/proc/meminfo", "MemAvailable:", &available_kib)) have = available_kib * 1024;
    char path[PATH_MAX];
    cgroup_path(path);
    const uint64_t room = cgroup_room(path);
    if (room < have) have = room;
    if (need <= have) return 0;
    return tti_fail(
        TUTTI_ERR_NO_MEMORY,
        "%s needs %" PRIu64 " bytes, there are %" PRIu64
        " (MemAvailable and memory.max of the cgroup): ask for less or run fewer ranks on the node",
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

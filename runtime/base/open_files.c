/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/open_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdalign.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

/* Without /proc so many are tried at most: a limit may be so high that all would take minutes. */
#define TRIED_MOST (1 << 20)

typedef void action_fn(int fd);

static void close_one(int fd)
{
    close(fd);
}

static void mark_one(int fd)
{
    fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* -1: none. */
static int number_of(const char *name)
{
    int number = 0;
    for (; *name != '\0'; name++) {
        if (*name < '0' || *name > '9') return -1;
        number = 10 * number + (*name - '0');
    }
    return number;
}

/* Not by readdir(), which may need memory. True if /proc tells of all. */
static bool act_on_listed(int first, action_fn *act)
{
    alignas(struct dirent64) char entries[2048];
    const int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return false;
    ssize_t bytes;
    while ((bytes = getdents64(folder, entries, sizeof entries)) > 0) {
        const struct dirent64 *entry;
        for (ssize_t at = 0; at < bytes; at += entry->d_reclen) {
            entry = (const struct dirent64 *)(const void *)(entries + at);
            const int fd = number_of(entry->d_name);
            if (fd >= first && fd != folder) act(fd);
        }
    }
    close(folder);
    return bytes == 0;
}

static void act_on_possible(int first, action_fn *act)
{
    struct rlimit limit;
    const bool is_known = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < TRIED_MOST;
    const int end = is_known ? (int)limit.rlim_cur : TRIED_MOST;
    for (int fd = first; fd < end; fd++)
        act(fd);
}

static void act_from(int first, int flags, action_fn *act)
{
    if (close_range((unsigned)first, ~0U, flags) == 0 || act_on_listed(first, act)) return;
    act_on_possible(first, act);
}

void tti_open_files_close(int first)
{
    act_from(first, 0, close_one);
}

void tti_open_files_mark(int first)
{
    act_from(first, CLOSE_RANGE_CLOEXEC, mark_one);
}

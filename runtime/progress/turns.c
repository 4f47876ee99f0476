/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/progress/turns.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "runtime/base/hot.h"
#include "runtime/base/user_folder.h"

#define PROCESSORS_MOST 4096
/* What is shorter, in rough ns, may be one switch, or an interrupt. */
#define GAP_NS 500000

/* What is on a file server would travel there and back, and be read on other machines. */
static bool is_of_this_machine(const char *folder)
{
    struct statfs state;
    if (statfs(folder, &state) != 0) return false;
    switch ((unsigned long)state.f_type) {
    case TMPFS_MAGIC:
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case OVERLAYFS_SUPER_MAGIC: return true;
    default: return false;
    }
}

/* All of it has its place on the disk, so that no store finds that full. */
static bool is_usable(int fd, size_t bytes)
{
    struct stat state;
    return fstat(fd, &state) == 0 && tti_user_file_is_own(&state) && tti_user_file_may_have(bytes) &&
           posix_fallocate(fd, 0, (off_t)bytes) == 0;
}

static tti_turns_line *map(size_t bytes)
{
    char path[TTI_USER_PATH + 16], folder[TTI_USER_PATH];
    if (!tti_user_folder(folder) || !is_of_this_machine(folder)) return NULL;
    snprintf(path, sizeof path, "%s/last-turns", folder);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0) return NULL;
    void *base = MAP_FAILED;
    if (is_usable(fd, bytes)) base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return base != MAP_FAILED ? base : NULL;
}

void tti_turns_open(tti_turns *turns)
{
    if (turns->opened) return;
    turns->opened = true;
    turns->here = -1;
    const long processors = sysconf(_SC_NPROCESSORS_CONF);
    if (processors < 1 || processors > PROCESSORS_MOST) return;
    turns->processors = (int)processors;
    turns->of = map((size_t)processors * sizeof *turns->of);
}

/* The processor's line; NULL if nothing is known of it. */
TTI_HOT static tti_turns_line *line_of(const tti_turns *turns, int cpu)
{
    return turns->of != NULL && cpu >= 0 && cpu < turns->processors ? &turns->of[cpu] : NULL;
}

TTI_HOT void tti_turns_end(tti_turns *turns, int64_t now)
{
    if (turns->of == NULL) return;
    turns->here = sched_getcpu();
    tti_turns_line *line = line_of(turns, turns->here);
    if (line == NULL) return;
    turns->then = atomic_load_explicit(&line->missed, memory_order_relaxed);
    atomic_store_explicit(&line->last, now, memory_order_relaxed);
}

TTI_HOT void tti_turns_begin(tti_turns *turns, int64_t now)
{
    if (turns->of == NULL) return;
    tti_turns_line *line = line_of(turns, sched_getcpu());
    if (line == NULL) return;
    const int64_t gap = now - atomic_load_explicit(&line->last, memory_order_relaxed);
    if (gap > GAP_NS) atomic_fetch_add_explicit(&line->missed, gap, memory_order_relaxed);
    atomic_store_explicit(&line->last, now, memory_order_relaxed);
}

int64_t tti_turns_missed(const tti_turns *turns)
{
    const tti_turns_line *line = line_of(turns, turns->here);
    return line != NULL ? atomic_load_explicit(&line->missed, memory_order_relaxed) - turns->then : -1;
}

void tti_turns_close(tti_turns *turns)
{
    if (turns->of != NULL) munmap(turns->of, (size_t)turns->processors * sizeof *turns->of);
    *turns = (tti_turns){0};
}

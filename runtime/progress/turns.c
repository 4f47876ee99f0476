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

/* Shorter turns do not add up to what matters. */
#define LEAST_NS 10000

#define PROCESSORS_MOST 4096

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
    char path[TTI_USER_PATH + 8], folder[TTI_USER_PATH];
    if (!tti_user_folder(folder) || !is_of_this_machine(folder)) return NULL;
    snprintf(path, sizeof path, "%s/turns", folder);
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

TTI_HOT void tti_turns_end(tti_turns *turns, int64_t took, int64_t most)
{
    if (turns->of == NULL) return;
    const int here = sched_getcpu();
    turns->here = here < turns->processors ? here : -1;
    if (turns->here < 0) return;
    _Atomic int64_t *all = &turns->of[here].ns;
    if (took >= LEAST_NS) atomic_fetch_add_explicit(all, took < most ? took : most, memory_order_relaxed);
    turns->then = atomic_load_explicit(all, memory_order_relaxed);
}

int64_t tti_turns_since(const tti_turns *turns)
{
    if (turns->of == NULL || turns->here < 0) return 0;
    return atomic_load_explicit(&turns->of[turns->here].ns, memory_order_relaxed) - turns->then;
}

void tti_turns_close(tti_turns *turns)
{
    if (turns->of != NULL) munmap(turns->of, (size_t)turns->processors * sizeof *turns->of);
    *turns = (tti_turns){0};
}

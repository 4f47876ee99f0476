/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/shm_sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libfabric's shm provider calls a rank's segment PID:UID:NUMBER, all of them as ints, so that the highest
 * user ids have a sign. Nobody else is known to write names that only a process of the job can have made:
 * Open MPI, MPICH and UCX name theirs by other things than the process. */
static pid_t maker_of(const char *name)
{
    int pid, number;
    char again[64];
    if (sscanf(name, "%9d:%*11[-0-9]:%9d", &pid, &number) != 2 || number < 0) return 0;
    snprintf(again, sizeof again, "%d:%d:%d", pid, (int)geteuid(), number);
    return strcmp(name, again) == 0 ? pid : 0;
}

static bool is_one_of(pid_t pid, const pid_t *pids, int count)
{
    for (int i = 0; i < count; i++) {
        if (pid > 0 && pids[i] == pid) return true;
    }
    return false;
}

/* True if a living process has the file open or mapped: in another pid namespace, say, where the number of
 * our rank is somebody else's. The kernel grants a write lease only where nobody has it. */
static bool is_in_use(int folder, const char *name)
{
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return true;
    const bool in_use = fcntl(fd, F_SETLEASE, F_WRLCK) != 0 && errno == EAGAIN;
    close(fd);
    return in_use;
}

void tti_shm_sweep(const pid_t *pids, int count, time_t since)
{
    DIR *shm = opendir("/dev/shm");
    if (shm == NULL) return;
    const int folder = dirfd(shm);
    for (const struct dirent *entry; (entry = readdir(shm)) != NULL;) {
        struct stat is;
        if (!is_one_of(maker_of(entry->d_name), pids, count)) continue;
        if (fstatat(folder, entry->d_name, &is, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISREG(is.st_mode) && is.st_uid == geteuid() && is.st_ctime >= since &&
            !is_in_use(folder, entry->d_name))
            unlinkat(folder, entry->d_name, 0);
    }
    closedir(shm);
}

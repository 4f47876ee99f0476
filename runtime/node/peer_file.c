/* SPDX-License-Identifier: BSD-3-Clause */
/* Through /proc, where a file needs no name, which somebody might have to take away. */
#include "runtime/node/peer_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/status.h"

void tti_node_show_file(tti_node_file *file, int fd)
{
    struct stat state;
    if (fstat(fd, &state) != 0) return;
    file->device = state.st_dev;
    file->inode = state.st_ino;
    atomic_store(&file->fd, fd);
}

static bool is_shown(const tti_node_file *file, const struct stat *state)
{
    return state->st_dev == file->device && state->st_ino == file->inode;
}

int tti_node_open_of(const tti_node *node, int peer, const tti_node_file *file, int flags)
{
    const pid_t pid = atomic_load(&tti_node_card_of(node, peer)->pid);
    char path[64];
    struct stat state;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)pid, atomic_load(&file->fd));
    /* Looked at first: to open a file of another process may do something there. */
    if (stat(path, &state) == 0 && !is_shown(file, &state)) return tti_node_peer_gone(node, peer);
    const int opened = open(path, flags | O_CLOEXEC);
    if (opened >= 0 && fstat(opened, &state) == 0 && is_shown(file, &state)) return opened;
    const int error = errno;
    if (opened >= 0) {
        close(opened);
        return tti_node_peer_gone(node, peer);
    }
    return tti_fail_errno(error == ENOENT || error == ESRCH ? TUTTI_ERR_PEER_FAILED : TUTTI_ERR_SYSTEM, error,
                          "opening %s of rank %d%s", path, tti_node_rank_of(node, peer),
                          error == EACCES ? " (ranks share memory while none changes its rights, nor becomes "
                                            "one that may not be dumped: do that before tutti_init())"
                                          : "");
}

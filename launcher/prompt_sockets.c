/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/prompt_sockets.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>

static bool listens(int fd)
{
    int yes = 0, protocol = 0;
    socklen_t size = sizeof yes;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &size) != 0 || yes == 0) return false;
    return getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 && protocol == IPPROTO_TCP;
}

/* Whoever started this process may have left it sockets of its own. */
static bool is_own(int fd)
{
    const int flags = fcntl(fd, F_GETFD);
    return flags >= 0 && (flags & FD_CLOEXEC) != 0;
}

void tti_make_sockets_prompt(void)
{
    const int yes = 1;
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const int fd = atoi(entry->d_name);
        if (is_own(fd) && listens(fd)) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
    closedir(folder);
}

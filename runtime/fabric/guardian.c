/* SPDX-License-Identifier: BSD-3-Clause */
/* libfabric's shm provider names each rank's segment in /dev/shm, needs the name until the last peer has
 * mapped it, and removes it when the endpoint closes or at a signal that can be caught. For kill -9 a tiny
 * process waits, in a session of its own so that it outlives what kills the rank, until the rank's end of a
 * pipe closes. Then it leaves the name for a while: a request for a connection that the rank has sent is
 * taken by the peer in its next call, and shm of 1.17 crashes where the name of who asks is gone
 * (docs/libfabric.md, fault 16). Who does not want to wait for that sends it SIGTERM. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/log.h"
#include "runtime/base/open_files.h"
#include "runtime/fabric/fabric_state.h"

#define SHARED "/dev/shm/"
/* As long as peers compute between two calls, most of them. */
#define LEFT_S 10

bool tti_fabric_find_segment(const char *address, char *path, size_t room)
{
    const char *scheme = strstr(address, "://");
    const char *name = scheme != NULL ? scheme + 3 : address;
    const int length = snprintf(path, room, "%s%s", SHARED, name);
    return name[0] != '\0' && strchr(name, '/') == NULL && length > 0 && (size_t)length < room &&
           access(path, F_OK) == 0;
}

/* In the child, which may do only what is safe after fork() in a threaded process. Keeps nothing of the
 * rank's open: whoever reads its output must see it end. */
static void guard(const int ends[2], const char *path)
{
    const struct timespec left = {.tv_sec = LEFT_S};
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, NULL);
    setsid();
    if (fork() != 0) _exit(0);
    close(ends[1]); /* the rank's: whatever else may stay open, the end is seen */
    dup2(ends[0], 0);
    tti_open_files_close(1);
    if (chdir("/") == 0) prctl(PR_SET_NAME, "tutti-guardian");
    char byte;
    while (read(0, &byte, 1) < 0)
        ;
    if (access(path, F_OK) == 0) sigtimedwait(&term, NULL, &left);
    unlink(path);
    _exit(0);
}

int tti_fabric_guard(const char *address)
{
    char path[256];
    int ends[2];
    if (!tti_fabric_find_segment(address, path, sizeof path)) return -1;
    pid_t child = -1;
    if (pipe2(ends, O_CLOEXEC) == 0) {
        child = fork();
        if (child == 0) guard(ends, path);
        close(ends[0]);
        if (child < 0) close(ends[1]);
    }
    if (child < 0) {
        tti_log(TTI_LOG_WARN, "nobody watches %s: it stays if this rank is killed", path);
        return -1;
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return ends[1];
}

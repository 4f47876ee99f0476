/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/process_ends.h"

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int tti_ends_open(void)
{
    return epoll_create1(EPOLL_CLOEXEC);
}

void tti_ends_watch(int ends, pid_t child)
{
    const int fd = (int)syscall(SYS_pidfd_open, child, 0);
    if (fd < 0) return;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)child << 32 | (uint32_t)fd};
    if (epoll_ctl(ends, EPOLL_CTL_ADD, fd, &event) != 0) close(fd);
}

/* Of those that are watched. One event at a time: the others stay in the order in which they came. */
static pid_t next_in_order(int ends)
{
    struct epoll_event event;
    if (epoll_wait(ends, &event, 1, 0) != 1) return 0;
    close((int)(uint32_t)event.data.u64);
    return (pid_t)(event.data.u64 >> 32);
}

/* What has ended between the two looks is asked for once more. */
pid_t tti_ends_next(int ends)
{
    siginfo_t any = {0};
    const pid_t first = next_in_order(ends);
    if (first != 0) return first;
    if (waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) != 0 || any.si_pid == 0) return 0;
    const pid_t then = next_in_order(ends);
    return then != 0 ? then : any.si_pid;
}

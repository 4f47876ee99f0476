/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/process_room.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/base/status.h"

void tti_process_room_describe(char text[TTI_PROCESS_ROOM])
{
    static const char remedy[] = "raise that or start fewer ranks";
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && geteuid() != 0)
        snprintf(text, TTI_PROCESS_ROOM,
                 "user %ld may have %llu processes and threads (ulimit -u; pids.max in a container): %s",
                 (long)getuid(), (unsigned long long)limit.rlim_cur, remedy);
    else
        snprintf(text, TTI_PROCESS_ROOM,
                 "no more processes and threads may be started here (pids.max of the cgroup, "
                 "kernel.threads-max): %s",
                 remedy);
}

int tti_fail_thread(int error, const char *purpose)
{
    char room[TTI_PROCESS_ROOM];
    if (error != EAGAIN) return tti_fail_errno(TUTTI_ERR_SYSTEM, error, "no thread to %s", purpose);
    tti_process_room_describe(room);
    return tti_fail(TUTTI_ERR_SYSTEM, "no thread to %s: %s", purpose, room);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Fault: a rank killed by SIGKILL leaves its segment in /dev/shm. Argument: provider (shm). */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_pair.h"

int main(int argc, char **argv)
{
    const pid_t child = fork();
    if (child == 0) {
        struct side one;
        open_side(&one, argc > 1 ? argv[1] : "shm", FI_WAIT_NONE);
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    char path[64];
    snprintf(path, sizeof path, "/dev/shm/%d:%d:0", (int)child, (int)getuid());
    const int left = access(path, F_OK) == 0;
    printf("%s %s\n", path, left ? "is left" : "is gone");
    unlink(path);
    return left ? 0 : 1;
}

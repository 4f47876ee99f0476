/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this process is one whose files others cannot open through /proc: it may not be dumped (a program
 * without read permission, one with rights of its own), or it has a namespace of process ids or of users that
 * the other ranks are not in. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/node/join.h"

#define ENVIRONMENT_MOST 65536
/* Of /proc/self/ns/user in the namespace that the system begins with: the kernel's PROC_USER_INIT_INO. */
#define FIRST_USERS_INODE UINT64_C(0xEFFFFFFD)

uint64_t tti_node_namespace(void)
{
    struct stat state;
    return stat("/proc/self/ns/pid", &state) == 0 ? state.st_ino : 0;
}

/* /proc is that of a namespace further out: it counts this process by one id for each on the way. */
static bool is_below_proc(void)
{
    static const char label[] = "NSpid:";
    char line[256];
    bool found = false, below = false;
    FILE *file = fopen("/proc/self/status", "re");
    if (file == NULL) return true;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, label, strlen(label)) == 0;
        below = found && strchr(line, '\t') != strrchr(line, '\t');
    }
    fclose(file);
    return below;
}

/* The namespace's first process has this job's name in its environment: it is the rank, or was started in
 * place of the rank. The launcher, which has given the name, is outside then. */
static bool begins_with_job(const tti_job *job)
{
    char environment[ENVIRONMENT_MOST];
    if (getpid() == 1) return true;
    const int fd = open("/proc/1/environ", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const ssize_t bytes = read(fd, environment, sizeof environment);
    close(fd);
    return bytes > 0 && memmem(environment, (size_t)bytes, job->name, strlen(job->name)) != NULL;
}

/* A namespace of users of which this process cannot tell whether the other ranks are in it, too: containers
 * that need no rights of root (Apptainer's, podman's) begin one for each rank, or one for all. Who is in
 * another one has no right to what this process has open, though the user is the same. */
static bool has_users_of_container(void)
{
    struct stat state;
    return stat("/proc/self/ns/user", &state) == 0 && state.st_ino != FIRST_USERS_INODE;
}

bool tti_node_is_hidden(const tti_job *job)
{
    return prctl(PR_GET_DUMPABLE) != 1 || is_below_proc() || has_users_of_container() || begins_with_job(job);
}

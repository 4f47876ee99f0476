/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_LAUNCHER_RANK_SPAWN_H
#define TTI_LAUNCHER_RANK_SPAWN_H

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

/* How one rank starts; everything stays the caller's. */
typedef struct {
    const char *path;
    char **arguments, **environment;
    const char *wdir;      /* NULL: the launcher's */
    const cpu_set_t *cpus; /* NULL: not bound */
    size_t cpus_bytes;
    int in, out, err;           /* become 0, 1, 2 */
    const sigset_t *signals;    /* mask to start with */
    const struct rlimit *files; /* RLIMIT_NOFILE to start with */
} tti_spawn;

/* Starts the rank in a process group of its own; it is killed when the calling thread ends. Returns its
 * process id, or -1 with *error the errno and *step what failed ("" if it was starting the program itself).
 */
pid_t tti_rank_spawn(const tti_spawn *spawn, int *error, const char **step);

#endif

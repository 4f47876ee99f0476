/* SPDX-License-Identifier: BSD-3-Clause */
#include "killed_unlock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool armed, wants_own;

void die_in_unlock(bool own)
{
    wants_own = own;
    armed = true;
}

/* The shm provider names segments after their process: /dev/shm/PID:UID:NUMBER. */
static bool is_wanted(const void *lock)
{
    char line[512], own[32];
    bool wanted = false;
    snprintf(own, sizeof own, "/dev/shm/%d:", (int)getpid());
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        uintptr_t from, to;
        if (sscanf(line, "%lx-%lx", &from, &to) != 2 || (uintptr_t)lock < from || (uintptr_t)lock >= to)
            continue;
        wanted = strstr(line, "/dev/shm/") != NULL && (strstr(line, own) != NULL) == wants_own;
    }
    if (maps != NULL) fclose(maps);
    return wanted;
}

__attribute__((visibility("default"))) int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    static int (*real)(pthread_spinlock_t *);
    if (armed && is_wanted((const void *)lock)) raise(SIGKILL);
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "pthread_spin_unlock");
    return real(lock);
}

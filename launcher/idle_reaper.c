/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/idle_reaper.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "launcher/process_sweep.h"

/* One that looks now and then, and not when a child ends, has some at times, but not so many of jobs that
 * began so long ago. */
#define ZOMBIES_LEAST 8
#define AGE_S 10

/* Whether the set of signals on a line of /proc/PID/status has SIGCHLD. */
static bool has_child_signal(const char *status, const char *line)
{
    const char *at = strstr(status, line);
    return at != NULL && (strtoull(at + strlen(line), NULL, 16) >> (SIGCHLD - 1) & 1) != 0;
}

/* Whether process 1 wants to hear of a child's end; true where nobody can tell. */
static bool heeds_children(void)
{
    char status[4096];
    FILE *file = fopen("/proc/1/status", "re");
    if (file == NULL) return true;
    status[fread(status, 1, sizeof status - 1, file)] = '\0';
    fclose(file);
    return strstr(status, "\nSigCgt:") == NULL || has_child_signal(status, "\nSigBlk:") ||
           has_child_signal(status, "\nSigIgn:") || has_child_signal(status, "\nSigCgt:");
}

/* "pid (name) Z parent …": when it was started is the 22nd word. */
static bool is_old_guardian(const char *stat, long long now_s)
{
    unsigned long long ticks;
    const char *state = strstr(stat, "(" TTI_GUARDIAN_NAME ") Z ");
    if (state == NULL) return false;
    const char *rest = strchr(state, ')') + 3;
    if (sscanf(rest, "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
               &ticks) != 1)
        return false;
    return now_s - (long long)(ticks / (unsigned long long)sysconf(_SC_CLK_TCK)) >= AGE_S;
}

static bool is_zombie(long pid, long long now_s)
{
    char path[64], stat[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    const bool is = fgets(stat, sizeof stat, file) != NULL && is_old_guardian(stat, now_s);
    fclose(file);
    return is;
}

static int count_zombies(void)
{
    FILE *children = fopen("/proc/1/task/1/children", "re");
    if (children == NULL) return 0;
    int count = 0;
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    for (long pid; count < ZOMBIES_LEAST && fscanf(children, "%ld", &pid) == 1;)
        count += is_zombie(pid, now.tv_sec);
    fclose(children);
    return count;
}

bool tti_reaper_is_idle(void)
{
    return !heeds_children() && count_zombies() >= ZOMBIES_LEAST;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/cpu_quota.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "runtime/base/cgroup.h"

int tti_cpu_quota_of(const char *text)
{
    int64_t quota, period;
    if (sscanf(text, "%" SCNd64 "%" SCNd64, &quota, &period) != 2 || quota <= 0 || period <= 0)
        return INT_MAX;
    const int64_t processors = quota / period + (quota % period != 0);
    return processors < INT_MAX ? (int)processors : INT_MAX;
}

/* The first line of a file of the folder, "" if there is none. */
static void read_line(const char *folder, const char *name, char line[64])
{
    char path[PATH_MAX + 128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (file == NULL || fgets(line, 64, file) == NULL) line[0] = '\0';
    if (file != NULL) fclose(file);
}

static void note(int *least, const char *text)
{
    const int processors = tti_cpu_quota_of(text);
    if (processors < *least) *least = processors;
}

static void look(void *least, const char *folder)
{
    char line[64];
    read_line(folder, "cpu.max", line);
    note(least, line);
}

/* Version 1 has a file for each of the two. */
static void look_at_two(void *least, const char *folder)
{
    char quota[64], period[64], both[130];
    read_line(folder, "cpu.cfs_quota_us", quota);
    read_line(folder, "cpu.cfs_period_us", period);
    snprintf(both, sizeof both, "%s %s", quota, period);
    note(least, both);
}

int tti_cpu_quota(void)
{
    int least = INT_MAX;
    tti_cgroup_walk("", look, &least);
    tti_cgroup_walk("cpu", look_at_two, &least);
    return least;
}

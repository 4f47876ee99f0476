/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/machine_cpus.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool tti_machine_move_to(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

/* Reads "A" or "A-B"; what follows in *end. */
static bool take_range(const char *text, char **end, cpu_set_t *cpus)
{
    const long first = strtol(text, end, 10);
    if (*end == text || first < 0 || first >= CPU_SETSIZE) return false;
    long last = first;
    if (**end == '-') {
        text = *end + 1;
        last = strtol(text, end, 10);
        if (*end == text || last < first || last >= CPU_SETSIZE) return false;
    }
    for (long cpu = first; cpu <= last; cpu++)
        CPU_SET(cpu, cpus);
    return true;
}

bool tti_machine_parse_cpus(const char *text, cpu_set_t *cpus)
{
    char *end;
    CPU_ZERO(cpus);
    for (; take_range(text, &end, cpus); text = end + 1)
        if (*end != ',') return *end == '\0' || *end == '\n';
    return false;
}

void tti_machine_read(int cpu, const char *what, char *text, size_t room)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", cpu, what);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, room - 1) : -1;
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = '\0';
}

/* `others` in place of what the kernel does not tell. */
static void read_cpus(int cpu, const char *what, const cpu_set_t *others, cpu_set_t *cpus)
{
    char text[4096];
    tti_machine_read(cpu, what, text, sizeof text);
    if (!tti_machine_parse_cpus(text, cpus)) *cpus = *others;
}

/* The next one upwards, round the end. */
static int next_of(int cpu, const cpu_set_t *set)
{
    for (int i = 1; i < CPU_SETSIZE; i++)
        if (CPU_ISSET((cpu + i) % CPU_SETSIZE, set)) return (cpu + i) % CPU_SETSIZE;
    return -1;
}

static void remove_from(cpu_set_t *set, const cpu_set_t *gone)
{
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, gone)) CPU_CLR(cpu, set);
}

int tti_machine_choose_cpu(int cpu, const cpu_set_t *own, const cpu_set_t *all, const cpu_set_t *core,
                           const cpu_set_t *package)
{
    cpu_set_t apart = *all, near, near_own;
    remove_from(&apart, core);
    CPU_AND(&near, &apart, package);
    CPU_AND(&near_own, &near, own);
    const cpu_set_t *const orders[] = {&near_own, &near, &apart, all};
    int found = -1;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0] && found < 0; i++)
        found = next_of(cpu, orders[i]);
    return found;
}

/* A thread may be bound to any processor of its cgroup, whatever it was bound to: the kernel takes of the
 * full set what is allowed. */
static void find_all(const cpu_set_t *own, cpu_set_t *all)
{
    memset(all, 0xff, sizeof *all);
    if (sched_setaffinity(0, sizeof *all, all) != 0 || sched_getaffinity(0, sizeof *all, all) != 0)
        *all = *own;
}

int tti_machine_cpu_beside(int cpu, const cpu_set_t *own)
{
    cpu_set_t all, self, core, package;
    find_all(own, &all);
    CPU_ZERO(&self);
    CPU_SET(cpu, &self);
    read_cpus(cpu, "topology/thread_siblings_list", &self, &core);
    read_cpus(cpu, "topology/core_siblings_list", &all, &package);
    return tti_machine_choose_cpu(cpu, own, &all, &core, &package);
}

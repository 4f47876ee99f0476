/* SPDX-License-Identifier: BSD-3-Clause */
/* The machines of machines/, and ranks bound on them. */
#ifndef TESTS_UNIT_TOPOLOGY_RECORDED_H
#define TESTS_UNIT_TOPOLOGY_RECORDED_H

#include <stdio.h>

#include "runtime/topology/locality.h"
#include "tests/unit/expect.h"

#define MOST_RANKS 288

static inline tti_topology *open_machine(const char *name)
{
    char path[4096];
    tti_topology *machine = NULL;
    snprintf(path, sizeof path, "%s/%s.xml", MACHINES, name);
    EXPECT(tti_topology_open_file(path, &machine) == 0);
    return machine;
}

/* Each rank on the core of its number; round them again if ranks are more. */
static inline void bind_to_cores(const tti_topology *machine, cpu_set_t *bound, int ranks)
{
    const int cores = tti_topology_count(machine, TTI_PLACE_CORE);
    for (int i = 0; i < ranks; i++)
        EXPECT(tti_topology_cpus(machine, TTI_PLACE_CORE, i % cores, &bound[i], sizeof bound[i]) == 0);
}

/* A rank on the processors first … last. */
static inline cpu_set_t cpus_between(int first, int last)
{
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    for (int cpu = first; cpu <= last; cpu++)
        CPU_SET(cpu, &cpus);
    return cpus;
}

#endif

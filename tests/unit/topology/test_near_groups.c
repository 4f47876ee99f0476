/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of near ranks, on a recorded machine with eight cores to an L3 cache. */
#include "runtime/topology/near_groups.h"
#include "tests/unit/topology/recorded.h"

#define CORES 128
#define CACHE_CORES 8

int main(void)
{
    cpu_set_t bound[CORES];
    int group_of[CORES];
    EXPECT(setenv("HWLOC_XMLFILE", MACHINES "/epyc-2x64.xml", 1) == 0);
    tti_topology *machine = open_machine("epyc-2x64");
    bind_to_cores(machine, bound, CORES);
    tti_topology_close(machine);
    EXPECT(tti_near_groups(bound, CORES, group_of) == CORES / CACHE_CORES);
    for (int r = 0; r < CORES; r++)
        EXPECT(group_of[r] == r / CACHE_CORES);
    EXPECT(tti_near_groups(bound + 4, 12, group_of) == 2 && group_of[3] == 0 && group_of[4] == 1);
    /* Too few, or anywhere. */
    EXPECT(tti_near_groups(bound + 4, 8, group_of) == 0);
    for (int r = 0; r < CORES; r++)
        bound[r] = cpus_between(0, CORES - 1);
    EXPECT(tti_near_groups(bound, CORES, group_of) == 0);
    tti_near_groups_close();
    return 0;
}

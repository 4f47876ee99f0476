/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tests/unit/topology/recorded.h"

/* A process that is bound sees its own cores, or all of the node for the other ranks' sake. */
static void test_bound_process(void)
{
    cpu_set_t usable, first;
    tti_topology *unbound, *mine, *node;
    EXPECT(sched_getaffinity(0, sizeof usable, &usable) == 0);
    if (CPU_COUNT(&usable) < 2) SKIP("one processor to run on");
    int cpu = 0;
    while (!CPU_ISSET(cpu, &usable))
        cpu++;
    first = cpus_between(cpu, cpu);
    EXPECT(tti_topology_open(&unbound) == 0);
    EXPECT(sched_setaffinity(0, sizeof first, &first) == 0);
    EXPECT(tti_topology_open(&mine) == 0 && tti_topology_open_node(&node) == 0);
    EXPECT(tti_topology_count(mine, TTI_PLACE_CORE) == 1);
    EXPECT(tti_topology_count(node, TTI_PLACE_CORE) >= tti_topology_count(unbound, TTI_PLACE_CORE));
    const cpu_set_t bound[2] = {first, usable};
    int group_of[2];
    EXPECT(tti_topology_groups(mine, bound, 2, TTI_LOCALITY_CORE, group_of) == 1);
    EXPECT(tti_topology_groups(node, bound, 2, TTI_LOCALITY_NODE, group_of) == 1);
    tti_topology_close(unbound);
    tti_topology_close(mine);
    tti_topology_close(node);
    EXPECT(sched_setaffinity(0, sizeof usable, &usable) == 0);
}

static void test_no_file(void)
{
    tti_topology *topology = NULL;
    EXPECT(tti_topology_open_file(MACHINES "/none.xml", &topology) == TUTTI_ERR_SYSTEM && topology == NULL);
    EXPECT(strstr(tutti_error_detail(), "none.xml") != NULL);
}

/* What a cpuset takes from this process, another rank of the node may have. */
static void test_cpuset(void)
{
    tti_topology *allowed = open_machine("cpuset-8x2"), *node;
    EXPECT(setenv("HWLOC_XMLFILE", MACHINES "/cpuset-8x2.xml", 1) == 0);
    EXPECT(tti_topology_open_node(&node) == 0);
    EXPECT(unsetenv("HWLOC_XMLFILE") == 0);
    EXPECT(tti_topology_count(allowed, TTI_PLACE_CORE) == 10 &&
           tti_topology_count(allowed, TTI_PLACE_NUMA) == 3);
    EXPECT(tti_topology_count(node, TTI_PLACE_CORE) == 15 && tti_topology_count(node, TTI_PLACE_NUMA) == 8);
    /* Processors 2 and 3 are allowed, 8 and 9 are not. */
    const cpu_set_t bound[4] = {cpus_between(2, 2), cpus_between(8, 8), cpus_between(9, 9),
                                cpus_between(3, 3)};
    static const int seen[4] = {0, 1, 1, 0};
    int group_of[4];
    EXPECT(tti_topology_groups(node, bound, 4, TTI_LOCALITY_PACKAGE, group_of) == 2);
    EXPECT(memcmp(group_of, seen, sizeof seen) == 0);
    tti_topology_close(node);
    tti_topology_close(allowed);
}

int main(void)
{
    test_cpuset();
    test_no_file();
    test_bound_process();
    return 0;
}

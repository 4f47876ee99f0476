/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/topology/topology.h"

#include <errno.h>
#include <stdlib.h>

#include "runtime/base/status.h"
#include "runtime/topology/topology_state.h"

/* By hwloc's default the cgroup's cpuset counts; the second adds the affinity mask we were started with. */
#define FLAGS_PROCESS (HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM | HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING)
/* Asking each processor itself, as hwloc does on x86 to complete what Linux tells, means waiting for a time
 * slice on each, while the other ranks are running there. */
#define FLAGS_NODE (HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING)

static int load(hwloc_topology_t machine, unsigned long flags, const char *path)
{
    if ((path == NULL || hwloc_topology_set_xml(machine, path) == 0) &&
        hwloc_topology_set_flags(machine, flags) == 0 && hwloc_topology_load(machine) == 0)
        return TUTTI_SUCCESS;
    return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "hwloc cannot load the topology of %s",
                          path != NULL ? path : "this machine");
}

static int open_with(unsigned long flags, const char *path, tti_topology **topology)
{
    tti_topology *made = malloc(sizeof *made);
    if (made == NULL || hwloc_topology_init(&made->machine) != 0) {
        free(made);
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the topology of this machine");
    }
    const int code = load(made->machine, flags, path);
    if (code < 0) {
        tti_topology_close(made);
        return code;
    }
    *topology = made;
    return TUTTI_SUCCESS;
}

int tti_topology_open(tti_topology **topology)
{
    return open_with(FLAGS_PROCESS, NULL, topology);
}

int tti_topology_open_node(tti_topology **topology)
{
    return open_with(FLAGS_NODE, NULL, topology);
}

int tti_topology_open_file(const char *path, tti_topology **topology)
{
    return open_with(0, path, topology);
}

void tti_topology_close(tti_topology *topology)
{
    if (topology == NULL) return;
    hwloc_topology_destroy(topology->machine);
    free(topology);
}

static hwloc_obj_type_t type_of(const tti_topology *topology, enum tti_topology_place place)
{
    if (place == TTI_PLACE_NUMA) return HWLOC_OBJ_NUMANODE;
    /* Some virtual machines show processors without cores. */
    return hwloc_get_nbobjs_by_type(topology->machine, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

/* The index-th object that has processors (a NUMA node may be memory alone), or NULL; *count is how many. */
static hwloc_obj_t find_place(const tti_topology *topology, enum tti_topology_place place, int index,
                              int *count)
{
    const hwloc_obj_type_t type = type_of(topology, place);
    hwloc_obj_t found = NULL;
    *count = 0;
    for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(topology->machine, type, at)) != NULL;) {
        if (hwloc_bitmap_iszero(at->cpuset)) continue;
        if (*count == index) found = at;
        ++*count;
    }
    return found;
}

int tti_topology_count(const tti_topology *topology, enum tti_topology_place place)
{
    int count;
    find_place(topology, place, -1, &count);
    return count > 0 ? count : 1;
}

int tti_topology_cpus(const tti_topology *topology, enum tti_topology_place place, int index, cpu_set_t *cpus,
                      size_t bytes)
{
    int count;
    const hwloc_obj_t found = find_place(topology, place, index, &count);
    if (found == NULL)
        return tti_fail(TUTTI_ERR_ARG, "place %d to bind to is not among the %d of this machine", index,
                        count);
    CPU_ZERO_S(bytes, cpus);
    for (int cpu = -1; (cpu = hwloc_bitmap_next(found->cpuset, cpu)) >= 0;) {
        if ((size_t)cpu >= bytes * 8)
            return tti_fail(TUTTI_ERR_LIMIT, "processor %d is beyond the %zu that can be bound to", cpu,
                            bytes * 8);
        CPU_SET_S((size_t)cpu, bytes, cpus);
    }
    return TUTTI_SUCCESS;
}

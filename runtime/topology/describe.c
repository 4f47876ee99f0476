/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/topology/describe.h"

#include <stdio.h>

#include "runtime/topology/topology_state.h"

static const struct {
    hwloc_obj_type_t type;
    const char *what;
} counted[] = {
    {HWLOC_OBJ_PACKAGE, "packages"},  {HWLOC_OBJ_NUMANODE, "NUMA nodes"}, {HWLOC_OBJ_L3CACHE, "L3 caches"},
    {HWLOC_OBJ_L2CACHE, "L2 caches"}, {HWLOC_OBJ_CORE, "cores"},          {HWLOC_OBJ_PU, "hardware threads"},
};

void tti_topology_tell_version(tutti_info_fn *tell, void *context)
{
    char text[32];
    const unsigned version = hwloc_get_api_version();
    snprintf(text, sizeof text, "%u.%u.%u", version >> 16, (version >> 8) & 0xff, version & 0xff);
    tell("hwloc", "API", text, context);
}

/* HWLOC_XMLFILE and its like may name another one. */
static void tell_machine(hwloc_topology_t machine, tutti_info_fn *tell, void *context)
{
    const char *whose = hwloc_topology_is_thissystem(machine) ? "this machine" : "another machine";
    char text[64];
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        snprintf(text, sizeof text, "%d", hwloc_get_nbobjs_by_type(machine, counted[i].type));
        tell(whose, counted[i].what, text, context);
    }
    const hwloc_obj_t root = hwloc_get_root_obj(machine);
    snprintf(text, sizeof text, "%.1f GiB", (double)root->total_memory / (double)(1 << 30));
    tell(whose, "memory", text, context);
    hwloc_bitmap_list_snprintf(text, sizeof text, root->cpuset);
    tell(whose, "may use", text, context);
}

int tti_topology_tell(tutti_info_fn *tell, void *context)
{
    tti_topology *topology;
    int code = tti_topology_open(&topology);
    if (code < 0) return code;
    tell_machine(topology->machine, tell, context);
    code = tti_topology_tell_groups(topology, tell, context);
    tti_topology_close(topology);
    return code;
}

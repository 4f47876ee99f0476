/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/bindings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/cpu_quota.h"
#include "launcher/launcher_report.h"
#include "runtime/topology/topology.h"

int tti_bindings_cores(int *cores)
{
    tti_topology *topology;
    if (tti_topology_open(&topology) < 0) return TTI_STATUS_USAGE;
    *cores = tti_topology_count(topology, TTI_PLACE_CORE);
    tti_topology_close(topology);
    const int quota = tti_cpu_quota();
    if (quota < *cores) *cores = quota;
    return 0;
}

static cpu_set_t *set_at(const tti_bindings *bindings, int place)
{
    return (cpu_set_t *)((char *)bindings->sets + (size_t)place * bindings->set_bytes);
}

static int fill(const tti_topology *topology, enum tti_topology_place place, tti_bindings *bindings)
{
    bindings->places = tti_topology_count(topology, place);
    bindings->set_bytes = CPU_ALLOC_SIZE(TTI_BINDING_CPUS_MAX);
    bindings->kind = place == TTI_PLACE_CORE ? "core" : "numa";
    bindings->sets = calloc((size_t)bindings->places, bindings->set_bytes);
    if (bindings->sets == NULL) return tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for the bindings");
    for (int i = 0; i < bindings->places; i++) {
        if (tti_topology_cpus(topology, place, i, set_at(bindings, i), bindings->set_bytes) < 0)
            return TTI_STATUS_USAGE;
    }
    return 0;
}

/* True if there is certainly no core for each rank, as there are fewer processors even, for which hwloc need
 * not be asked; or less time than that of a core for each. */
static bool are_too_many(int ranks)
{
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0 && ranks > CPU_COUNT(&usable)) return true;
    return ranks > tti_cpu_quota();
}

int tti_bindings_plan(enum tti_command_binding wanted, int ranks, tti_bindings *bindings)
{
    *bindings = (tti_bindings){0};
    if (wanted == TTI_BIND_NONE) return 0;
    if (wanted == TTI_BIND_AUTO && are_too_many(ranks)) return 0;
    tti_topology *topology;
    if (tti_topology_open(&topology) < 0) return TTI_STATUS_USAGE;
    int status = 0;
    if (wanted == TTI_BIND_NUMA) {
        status = fill(topology, TTI_PLACE_NUMA, bindings);
    } else if (wanted == TTI_BIND_CORE || ranks <= tti_topology_count(topology, TTI_PLACE_CORE)) {
        status = fill(topology, TTI_PLACE_CORE, bindings);
    }
    tti_topology_close(topology);
    if (status == 0 && wanted == TTI_BIND_CORE && ranks > bindings->places)
        status = tti_launcher_refuse(TTI_STATUS_USAGE,
                                     "--bind-to core: %d ranks, but %d cores may be used; use --bind-to none",
                                     ranks, bindings->places);
    if (status != 0) tti_bindings_free(bindings);
    return status;
}

void tti_bindings_free(tti_bindings *bindings)
{
    free(bindings->sets);
    *bindings = (tti_bindings){0};
}

const cpu_set_t *tti_bindings_of(const tti_bindings *bindings, int rank)
{
    return bindings->sets == NULL ? NULL : set_at(bindings, rank % bindings->places);
}

void tti_bindings_text(const tti_bindings *bindings, int rank, char *text, size_t room)
{
    const cpu_set_t *set = tti_bindings_of(bindings, rank);
    size_t used = 0;
    text[0] = '\0';
    for (int cpu = 0; set != NULL && cpu < TTI_BINDING_CPUS_MAX && used < room; cpu++) {
        if (!CPU_ISSET_S((size_t)cpu, bindings->set_bytes, set)) continue;
        int last = cpu;
        while (last + 1 < TTI_BINDING_CPUS_MAX && CPU_ISSET_S((size_t)last + 1, bindings->set_bytes, set))
            last++;
        const char *comma = used > 0 ? "," : "";
        used += (size_t)(last > cpu ? snprintf(text + used, room - used, "%s%d-%d", comma, cpu, last)
                                    : snprintf(text + used, room - used, "%s%d", comma, cpu));
        cpu = last;
    }
}

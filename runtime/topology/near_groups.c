/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/topology/near_groups.h"

#include <stdbool.h>
#include <stdlib.h>

#include "runtime/topology/locality.h"

/* By groups a line passes two times more than without: not worth it for so few ranks. */
#define RANKS_ALIKE 8

static tti_topology *machine;
static bool tried;

static bool have_machine(void)
{
    if (!tried && tti_topology_open_node(&machine) < 0) machine = NULL;
    tried = true;
    return machine != NULL;
}

int tti_near_groups(const cpu_set_t *bound, int ranks, int *group_of)
{
    enum tti_locality level;
    if (ranks <= RANKS_ALIKE || !have_machine()) return 0;
    int *leaders = malloc((size_t)ranks * sizeof *leaders);
    if (leaders == NULL) return 0;
    const int groups = tti_topology_hierarchy(machine, bound, ranks, &level, group_of, leaders);
    free(leaders);
    return groups > 1 ? groups : 0;
}

void tti_near_groups_close(void)
{
    tti_topology_close(machine);
    machine = NULL;
    tried = false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups that ranks would form, in words. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/status.h"
#include "runtime/topology/describe.h"
#include "runtime/topology/locality.h"

/* A rank on each core, and room to group them. */
typedef struct {
    int ranks;
    cpu_set_t *bound;
    int *group_of, *sizes;
} crew;

static int bind_crew(const tti_topology *topology, crew *c)
{
    const size_t ranks = (size_t)tti_topology_count(topology, TTI_PLACE_CORE);
    *c = (crew){.ranks = (int)ranks,
                .bound = malloc(ranks * sizeof *c->bound),
                .group_of = malloc(ranks * sizeof *c->group_of),
                .sizes = malloc(ranks * sizeof *c->sizes)};
    if (c->bound == NULL || c->group_of == NULL || c->sizes == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to group %zu ranks", ranks);
    int code = TUTTI_SUCCESS;
    for (int i = 0; i < c->ranks && code == TUTTI_SUCCESS; i++)
        code = tti_topology_cpus(topology, TTI_PLACE_CORE, i, &c->bound[i], sizeof c->bound[i]);
    return code;
}

static void free_crew(crew *c)
{
    free(c->bound);
    free(c->group_of);
    free(c->sizes);
}

/* "16 groups of 8", "3 groups of 1 to 4". */
static void print_groups(const crew *c, int groups, char *text, size_t room)
{
    int least = c->ranks, most = 0;
    for (int g = 0; g < groups; g++)
        c->sizes[g] = 0;
    for (int i = 0; i < c->ranks; i++)
        c->sizes[c->group_of[i]]++;
    for (int g = 0; g < groups; g++) {
        if (c->sizes[g] < least) least = c->sizes[g];
        if (c->sizes[g] > most) most = c->sizes[g];
    }
    const int used = snprintf(text, room, "%d %s of %d", groups, groups == 1 ? "group" : "groups", least);
    if (most > least) snprintf(text + used, room - (size_t)used, " to %d", most);
}

static int tell_level(const tti_topology *topology, const crew *c, enum tti_locality level,
                      tutti_info_fn *tell, void *context)
{
    char text[64] = "none shown";
    if (tti_topology_has(topology, level)) {
        const int groups = tti_topology_groups(topology, c->bound, c->ranks, level, c->group_of);
        if (groups < 0) return groups;
        print_groups(c, groups, text, sizeof text);
    }
    tell("a rank on each core", tti_locality_name(level), text, context);
    return TUTTI_SUCCESS;
}

static int tell_hierarchy(const tti_topology *topology, const crew *c, tutti_info_fn *tell, void *context)
{
    enum tti_locality level;
    char groups_text[64], text[96] = "none saves steps";
    const int groups = tti_topology_hierarchy(topology, c->bound, c->ranks, &level, c->group_of, c->sizes);
    if (groups < 0) return groups;
    if (groups > 1) {
        print_groups(c, groups, groups_text, sizeof groups_text);
        snprintf(text, sizeof text, "by %s: %s", tti_locality_name(level), groups_text);
    }
    tell("a rank on each core", "hierarchy", text, context);
    return TUTTI_SUCCESS;
}

int tti_topology_tell_groups(const tti_topology *topology, tutti_info_fn *tell, void *context)
{
    crew c;
    int code = bind_crew(topology, &c);
    for (enum tti_locality level = TTI_LOCALITY_L2; level < TTI_LOCALITY_NODE && code == 0; level++)
        code = tell_level(topology, &c, level, tell, context);
    if (code == 0) code = tell_hierarchy(topology, &c, tell, context);
    free_crew(&c);
    return code;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A maximum matching of ranks and processors by augmenting paths (Kuhn's form of the Hungarian method): a
 * rank that finds all its processors taken asks their owners to move. */
#include "runtime/topology/crowding.h"

#define FREE (-1)

typedef struct {
    const cpu_set_t *bound;
    cpu_set_t asked;    /* processors that the present search has been to, and the hopeless */
    cpu_set_t hopeless; /* from which a search failed: no later one would succeed */
    int owner[CPU_SETSIZE];
} matching;

static bool take_free(matching *m, int rank)
{
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (m->owner[cpu] != FREE || !CPU_ISSET(cpu, &m->bound[rank])) continue;
        m->owner[cpu] = rank;
        return true;
    }
    return false;
}

/* As deep as there are processors at most: each is asked once. */
static bool take(matching *m, int rank)
{
    if (take_free(m, rank)) return true;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &m->bound[rank]) || CPU_ISSET(cpu, &m->asked)) continue;
        CPU_SET(cpu, &m->asked);
        if (!take(m, m->owner[cpu])) continue;
        m->owner[cpu] = rank;
        return true;
    }
    return false;
}

int tti_topology_crowded(const cpu_set_t *bound, int ranks)
{
    matching m = {.bound = bound};
    int left = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        m.owner[cpu] = FREE;
    for (int rank = 0; rank < ranks; rank++) {
        m.asked = m.hopeless;
        if (take(&m, rank)) continue;
        m.hopeless = m.asked;
        left++;
    }
    return left;
}

bool tti_topology_knows_any(const cpu_set_t *bound, int ranks)
{
    bool any = false;
    for (int rank = 0; rank < ranks && !any; rank++)
        any = CPU_COUNT(&bound[rank]) > 0;
    return any;
}

int tti_topology_sharing(const cpu_set_t *own, const cpu_set_t *bound, int ranks)
{
    int sharing = 0;
    for (int rank = 0; rank < ranks; rank++) {
        cpu_set_t both;
        CPU_AND(&both, own, &bound[rank]);
        sharing += CPU_COUNT(&both) > 0;
    }
    return sharing;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/topology/locality.h"

#include <stdlib.h>

#include "runtime/base/status.h"
#include "runtime/topology/topology_state.h"

static const char *const names[TTI_LOCALITY_COUNT] = {
    [TTI_LOCALITY_CORE] = "core",      [TTI_LOCALITY_L2] = "L2 cache",     [TTI_LOCALITY_L3] = "L3 cache",
    [TTI_LOCALITY_NUMA] = "NUMA node", [TTI_LOCALITY_PACKAGE] = "package", [TTI_LOCALITY_NODE] = "node",
};

const char *tti_locality_name(enum tti_locality level)
{
    return names[level];
}

static int out_of_memory(void)
{
    return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to group ranks by the machine's caches and memories");
}

bool tti_topology_has(const tti_topology *topology, enum tti_locality level)
{
    static const hwloc_obj_type_t types[] = {
        [TTI_LOCALITY_L2] = HWLOC_OBJ_L2CACHE,
        [TTI_LOCALITY_L3] = HWLOC_OBJ_L3CACHE,
        [TTI_LOCALITY_NUMA] = HWLOC_OBJ_NUMANODE,
        [TTI_LOCALITY_PACKAGE] = HWLOC_OBJ_PACKAGE,
    };
    return level == TTI_LOCALITY_CORE || level == TTI_LOCALITY_NODE ||
           hwloc_get_nbobjs_by_type(topology->machine, types[level]) > 0;
}

/* Not so where parts of the object have memory of their own: then the object's is an expander. */
static bool has_nearest_memory(hwloc_obj_t object)
{
    if (object->memory_arity == 0) return false;
    for (hwloc_obj_t part = object->first_child; part != NULL; part = part->first_child)
        if (part->memory_arity > 0) return false;
    return true;
}

static bool is_place(hwloc_obj_t object, enum tti_locality level)
{
    switch (level) {
    case TTI_LOCALITY_CORE:
        /* A processor stands for its core where the machine shows none. */
        return object->type == HWLOC_OBJ_CORE ||
               (object->type == HWLOC_OBJ_PU && object->parent->type != HWLOC_OBJ_CORE);
    case TTI_LOCALITY_L2: return object->type == HWLOC_OBJ_L2CACHE;
    case TTI_LOCALITY_L3: return object->type == HWLOC_OBJ_L3CACHE;
    /* Nodes with the same processors (fast memory and large memory) hang on one object. */
    case TTI_LOCALITY_NUMA: return has_nearest_memory(object);
    case TTI_LOCALITY_PACKAGE: return object->type == HWLOC_OBJ_PACKAGE;
    default: return object->parent == NULL;
    }
}

/* The smallest place around the object of a level from `level` to `last`, or NULL. */
static hwloc_obj_t place_around(hwloc_obj_t object, enum tti_locality level, enum tti_locality last)
{
    for (; object != NULL; object = object->parent) {
        for (enum tti_locality at = level; at <= last; at++)
            if (is_place(object, at)) return object;
    }
    return NULL;
}

/* Where a rank belongs at a level. */
static hwloc_obj_t place_at(hwloc_obj_t home, enum tti_locality level)
{
    const hwloc_obj_t place = place_around(home, level, level);
    return place != NULL ? place : place_around(home, level, TTI_LOCALITY_NODE);
}

/* The smallest object that holds all processors of the set, in *home. `scratch` is overwritten. */
static int find_home(const tti_topology *topology, const cpu_set_t *bound, hwloc_bitmap_t scratch,
                     hwloc_obj_t *home)
{
    const hwloc_obj_t root = hwloc_get_root_obj(topology->machine);
    /* A cpu_set_t is an array of unsigned long. */
    const unsigned words = sizeof *bound / sizeof(unsigned long);
    if (hwloc_bitmap_from_ulongs(scratch, words, (const unsigned long *)bound) != 0 ||
        hwloc_bitmap_and(scratch, scratch, root->cpuset) != 0)
        return out_of_memory();
    *home = hwloc_get_obj_covering_cpuset(topology->machine, scratch);
    if (*home == NULL) *home = root;
    return TUTTI_SUCCESS;
}

/* The homes of all ranks, in a new array that the caller frees. */
static int find_homes(const tti_topology *topology, const cpu_set_t *bound, int ranks, hwloc_obj_t **homes)
{
    const hwloc_bitmap_t scratch = hwloc_bitmap_alloc();
    hwloc_obj_t *made = malloc((size_t)ranks * sizeof *made);
    int code = scratch != NULL && made != NULL ? TUTTI_SUCCESS : out_of_memory();
    for (int i = 0; i < ranks && code == TUTTI_SUCCESS; i++)
        code = find_home(topology, &bound[i], scratch, &made[i]);
    hwloc_bitmap_free(scratch);
    if (code == TUTTI_SUCCESS)
        *homes = made;
    else
        free(made);
    return code;
}

int tti_topology_groups(const tti_topology *topology, const cpu_set_t *bound, int ranks,
                        enum tti_locality level, int *group_of)
{
    hwloc_obj_t *places = NULL; /* of the ranks; those of the groups gather at its front */
    const int code = find_homes(topology, bound, ranks, &places);
    if (code < 0) return code;
    int groups = 0;
    for (int i = 0; i < ranks; i++) {
        const hwloc_obj_t place = place_at(places[i], level);
        int group = 0;
        while (group < groups && places[group] != place)
            group++;
        if (group == groups) places[groups++] = place;
        group_of[i] = group;
    }
    free(places);
    return groups;
}

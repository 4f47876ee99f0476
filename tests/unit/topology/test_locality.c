/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tests/unit/topology/recorded.h"

/* One rank on every core: groups at each level from core to node. */
static void test_groups(void)
{
    static const struct {
        const char *machine;
        int ranks, groups[TTI_LOCALITY_COUNT];
    } rows[] = {
        {"small-1x2", 2, {2, 2, 1, 1, 1, 1}},        {"numa-2x4x16", 128, {128, 128, 8, 8, 2, 1}},
        {"epyc-2x64", 128, {128, 128, 16, 1, 2, 1}}, {"kunpeng-2x64", 128, {128, 128, 4, 4, 2, 1}},
        {"knl-64", 64, {64, 32, 4, 4, 1, 1}},        {"knl-64", 128, {64, 32, 4, 4, 1, 1}},
        {"arm-80", 80, {80, 80, 1, 1, 1, 1}},        {"snc-2x20", 40, {40, 40, 2, 4, 2, 1}},
        {"books-4x4x6", 96, {96, 48, 16, 4, 16, 1}}, {"hybrid-6-8", 14, {14, 8, 1, 1, 1, 1}},
        {"expander-2x4", 8, {8, 2, 2, 2, 2, 1}},     {"cpuset-8x2", 10, {10, 10, 6, 6, 6, 1}},
        {"bare-4", 4, {4, 1, 1, 1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cpu_set_t bound[MOST_RANKS];
        int group_of[MOST_RANKS];
        tti_topology *machine = open_machine(rows[i].machine);
        bind_to_cores(machine, bound, rows[i].ranks);
        for (enum tti_locality level = 0; level < TTI_LOCALITY_COUNT; level++) {
            const int groups = tti_topology_groups(machine, bound, rows[i].ranks, level, group_of);
            if (groups != rows[i].groups[level])
                fprintf(stderr, "%s, %s: %d groups\n", rows[i].machine, tti_locality_name(level), groups);
            EXPECT(groups == rows[i].groups[level] && group_of[0] == 0);
        }
        tti_topology_close(machine);
    }
}

/* Ranks dealt round the packages: a group is where they are, not what they are called. */
static void test_scattered(void)
{
    tti_topology *machine = open_machine("epyc-2x64");
    cpu_set_t bound[128], in_order[128];
    int group_of[128];
    bind_to_cores(machine, in_order, 128);
    for (int i = 0; i < 128; i++)
        bound[i] = in_order[i % 2 * 64 + i / 2];
    EXPECT(tti_topology_groups(machine, bound, 128, TTI_LOCALITY_PACKAGE, group_of) == 2);
    for (int i = 0; i < 128; i++)
        EXPECT(group_of[i] == i % 2);
    EXPECT(tti_topology_groups(machine, bound, 128, TTI_LOCALITY_L3, group_of) == 16);
    for (int i = 0; i < 128; i++)
        EXPECT(group_of[i] == i / 16 * 2 + i % 2);
    tti_topology_close(machine);
}

static void test_unbound(void)
{
    tti_topology *machine = open_machine("numa-2x4x16");
    cpu_set_t bound[4] = {cpus_between(0, 127), cpus_between(0, 1023), cpus_between(1, 0),
                          cpus_between(900, 901)};
    int group_of[4];
    for (enum tti_locality level = 0; level < TTI_LOCALITY_COUNT; level++)
        EXPECT(tti_topology_groups(machine, bound, 4, level, group_of) == 1 && group_of[3] == 0);
    /* Beside bound ones they are a group of their own. */
    bound[1] = cpus_between(3, 3);
    bound[2] = cpus_between(120, 127);
    static const int expected[4] = {0, 1, 2, 0};
    EXPECT(tti_topology_groups(machine, bound, 4, TTI_LOCALITY_NUMA, group_of) == 3);
    EXPECT(memcmp(group_of, expected, sizeof expected) == 0);
    tti_topology_close(machine);
}

/* Sets larger than a place of the level, and one that reaches out of the topology. */
static void test_wide(void)
{
    tti_topology *machine = open_machine("epyc-2x64");
    const cpu_set_t bound[] = {cpus_between(0, 63),    cpus_between(0, 15), cpus_between(64, 79),
                               cpus_between(127, 200), cpus_between(8, 9),  cpus_between(63, 64)};
    static const int by_cache[] = {0, 0, 1, 2, 3, 4}, by_package[] = {0, 0, 1, 1, 0, 2};
    int group_of[6];
    EXPECT(tti_topology_groups(machine, bound, 6, TTI_LOCALITY_L3, group_of) == 5);
    EXPECT(memcmp(group_of, by_cache, sizeof by_cache) == 0);
    EXPECT(tti_topology_groups(machine, bound, 6, TTI_LOCALITY_PACKAGE, group_of) == 3);
    EXPECT(memcmp(group_of, by_package, sizeof by_package) == 0);
    tti_topology_close(machine);
}

/* A rank over both packages is near the memory of neither, though the expander is one for all. */
static void test_expander(void)
{
    tti_topology *machine = open_machine("expander-2x4");
    const cpu_set_t bound[] = {cpus_between(0, 7), cpus_between(1, 1), cpus_between(4, 4),
                               cpus_between(5, 6)};
    static const int by_memory[] = {0, 1, 2, 2};
    int group_of[4];
    EXPECT(tti_topology_groups(machine, bound, 4, TTI_LOCALITY_NUMA, group_of) == 3);
    EXPECT(memcmp(group_of, by_memory, sizeof by_memory) == 0);
    tti_topology_close(machine);
}

int main(void)
{
    test_groups();
    test_scattered();
    test_unbound();
    test_wide();
    test_expander();
    return 0;
}

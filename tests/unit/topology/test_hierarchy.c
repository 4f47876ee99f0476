/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/topology/recorded.h"

static void test_levels(void)
{
    static const struct {
        const char *machine;
        int ranks, groups;
        enum tti_locality level;
    } rows[] = {
        {"numa-2x4x16", 128, 8, TTI_LOCALITY_L3},  {"epyc-2x64", 128, 16, TTI_LOCALITY_L3},
        {"kunpeng-2x64", 128, 4, TTI_LOCALITY_L3}, {"knl-64", 64, 4, TTI_LOCALITY_NUMA},
        {"knl-64", 128, 32, TTI_LOCALITY_L2},      {"snc-2x20", 40, 4, TTI_LOCALITY_NUMA},
        {"books-4x4x6", 96, 16, TTI_LOCALITY_L3},  {"hybrid-6-8", 14, 8, TTI_LOCALITY_L2},
        {"expander-2x4", 8, 2, TTI_LOCALITY_L3},   {"arm-80", 80, 1, TTI_LOCALITY_NODE},
        {"small-1x2", 2, 1, TTI_LOCALITY_NODE},    {"small-1x2", 1, 1, TTI_LOCALITY_NODE},
        {"bare-4", 4, 1, TTI_LOCALITY_NODE},       {"cpuset-8x2", 10, 6, TTI_LOCALITY_NUMA},
        {"epyc-2x64", 8, 1, TTI_LOCALITY_NODE},    {"epyc-2x64", 9, 1, TTI_LOCALITY_NODE},
        {"epyc-2x64", 10, 2, TTI_LOCALITY_L3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cpu_set_t bound[MOST_RANKS];
        int group_of[MOST_RANKS], leaders[MOST_RANKS];
        enum tti_locality level = TTI_LOCALITY_COUNT;
        tti_topology *machine = open_machine(rows[i].machine);
        bind_to_cores(machine, bound, rows[i].ranks);
        const int groups = tti_topology_hierarchy(machine, bound, rows[i].ranks, &level, group_of, leaders);
        if (groups != rows[i].groups || level != rows[i].level)
            fprintf(stderr, "%s: %d by %s\n", rows[i].machine, groups, tti_locality_name(level));
        EXPECT(groups == rows[i].groups && level == rows[i].level);
        for (int rank = 0; rank < rows[i].ranks; rank++)
            EXPECT(leaders[group_of[rank]] <= rank && group_of[leaders[group_of[rank]]] == group_of[rank]);
        for (int group = 0; group < groups; group++)
            EXPECT(group_of[leaders[group]] == group && (group == 0 || leaders[group] > leaders[group - 1]));
        tti_topology_close(machine);
    }
}

static void test_unbound(void)
{
    cpu_set_t bound[128];
    int group_of[128], leaders[128];
    enum tti_locality level;
    tti_topology *machine = open_machine("epyc-2x64");
    for (int i = 0; i < 128; i++)
        bound[i] = cpus_between(0, 127);
    EXPECT(tti_topology_hierarchy(machine, bound, 128, &level, group_of, leaders) == 1);
    EXPECT(level == TTI_LOCALITY_NODE && leaders[0] == 0 && group_of[127] == 0);
    /* Bound to packages and no closer. */
    for (int i = 0; i < 128; i++)
        bound[i] = i % 2 == 0 ? cpus_between(64, 127) : cpus_between(0, 63);
    EXPECT(tti_topology_hierarchy(machine, bound, 128, &level, group_of, leaders) == 2);
    EXPECT(leaders[0] == 0 && leaders[1] == 1 && group_of[127] == 1);
    tti_topology_close(machine);
}

int main(void)
{
    test_levels();
    test_unbound();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/topology/crowding.h"

#include "tests/unit/topology/recorded.h"

static void test_unbound(void)
{
    static cpu_set_t bound[1024];
    for (int i = 0; i < 1024; i++)
        bound[i] = cpus_between(0, 127);
    EXPECT(tti_topology_crowded(bound, 1) == 0);
    EXPECT(tti_topology_crowded(bound, 128) == 0);
    EXPECT(tti_topology_crowded(bound, 129) == 1);
    EXPECT(tti_topology_crowded(bound, 1024) == 896);
}

static void test_bound(void)
{
    cpu_set_t bound[8];
    for (int i = 0; i < 8; i++)
        bound[i] = cpus_between(i, i);
    EXPECT(tti_topology_crowded(bound, 8) == 0);
    /* As many processors as ranks, but two on one. */
    bound[3] = cpus_between(2, 2);
    EXPECT(tti_topology_crowded(bound, 8) == 1);
    bound[3] = cpus_between(2, 3);
    EXPECT(tti_topology_crowded(bound, 8) == 0);
    bound[7] = cpus_between(1, 0);
    EXPECT(tti_topology_crowded(bound, 8) == 1);
}

/* Three ranks on two processors while others have plenty. */
static void test_uneven(void)
{
    cpu_set_t bound[5] = {cpus_between(0, 63), cpus_between(0, 1), cpus_between(0, 1), cpus_between(0, 1),
                          cpus_between(0, 63)};
    EXPECT(tti_topology_crowded(bound, 5) == 1);
    EXPECT(tti_topology_crowded(bound, 3) == 0);
}

/* Each newcomer makes all before it move on by one. */
static void test_moving(void)
{
    static cpu_set_t bound[1024];
    for (int i = 0; i < 1023; i++)
        bound[i] = cpus_between(i, i + 1);
    bound[1023] = cpus_between(0, 0);
    EXPECT(tti_topology_crowded(bound, 1024) == 0);
    bound[512] = cpus_between(0, 0);
    EXPECT(tti_topology_crowded(bound, 1024) == 1);
}

static void test_sharing(void)
{
    const cpu_set_t bound[5] = {cpus_between(0, 0), cpus_between(0, 1), cpus_between(1, 3),
                                cpus_between(4, 7), cpus_between(1, 0)};
    EXPECT(tti_topology_sharing(&bound[0], bound, 5) == 2);
    EXPECT(tti_topology_sharing(&bound[1], bound, 5) == 3);
    EXPECT(tti_topology_sharing(&bound[3], bound, 5) == 1);
    EXPECT(tti_topology_sharing(&bound[4], bound, 5) == 0); /* an empty set */
}

int main(void)
{
    test_unbound();
    test_bound();
    test_uneven();
    test_moving();
    test_sharing();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a node's ranks have to share processors: by where they may run; and where none can tell that, as on
 * machines with very many processors, by how many of both there are. */
#include <sched.h>
#include <unistd.h>

#include "runtime/node/segment.h"
#include "runtime/node/view.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/sharing.h"
#include "tests/unit/expect.h"

#define RANKS 2

static tti_node *nodes[RANKS];
static long processors;

long __wrap_sysconf(int name);
long __real_sysconf(int name);
long __wrap_sysconf(int name)
{
    return name == _SC_NPROCESSORS_ONLN ? processors : __real_sysconf(name);
}

static void allow(int rank, int first, int last)
{
    cpu_set_t *cpus = &tti_node_card_of(nodes[rank], rank)->cpus;
    CPU_ZERO(cpus);
    for (int cpu = first; cpu <= last; cpu++)
        CPU_SET(cpu, cpus);
}

static bool share_of(long so_many)
{
    processors = so_many;
    return tti_sharing_by_binding();
}

static void test_known(void)
{
    allow(0, 0, 1);
    allow(1, 0, 1);
    EXPECT(!share_of(2) && !share_of(1500));
    allow(0, 1, 1);
    allow(1, 1, 1);
    EXPECT(share_of(2) && share_of(1500));
}

static void test_unknown(void)
{
    allow(0, 1, 0);
    allow(1, 1, 0);
    EXPECT(!share_of(1500) && !share_of(RANKS) && share_of(RANKS - 1));
}

int main(void)
{
    void *segment = NULL;
    for (int rank = 0; rank < RANKS; rank++)
        EXPECT(tti_node_open_threads(RANKS, rank, &segment, &nodes[rank]) == 0);
    tti_peers.node = nodes[0];
    test_known();
    test_unknown();
    tti_peers.node = NULL;
    for (int rank = 0; rank < RANKS; rank++)
        tti_node_close(nodes[rank]);
    return 0;
}

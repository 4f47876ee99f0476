/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/spread.h"

#include <sched.h>

#include "runtime/base/hot.h"
#include "runtime/base/options.h"

/* A look touches a line of each rank of the node. */
#define LOOK_NS 1000000

/* The kernel has moved the thread once it is bound there. What others have bound it to meanwhile, in these
 * few microseconds, would be lost. */
static void move_to(int cpu)
{
    cpu_set_t allowed, only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !CPU_ISSET(cpu, &allowed)) return;
    if (sched_setaffinity(0, sizeof only, &only) == 0) sched_setaffinity(0, sizeof allowed, &allowed);
}

static void look(const tti_node *node, int64_t now)
{
    tti_node_note_place(node, sched_getcpu());
    const int cpu = tti_node_take_place(node, now);
    if (cpu != TTI_NODE_NOWHERE) move_to(cpu);
}

TTI_HOT void tti_spread_look(tti_spread *spread, const tti_node *node, int64_t now)
{
    if (__builtin_expect(now < spread->next, 1)) return;
    spread->next = now + LOOK_NS;
    if (tti_option_value(TTI_OPTION_SPREAD) != 0) look(node, now);
}

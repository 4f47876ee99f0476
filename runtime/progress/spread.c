/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/progress/spread.h"

#include <sched.h>

#include "runtime/base/hot.h"
#include "runtime/base/options.h"
#include "runtime/node/places.h"

/* A look touches a line of each rank of the node. */
#define LOOK_NS 1000000

/* The kernel has moved the thread once it is bound there. What others have bound it to meanwhile, in these
 * few microseconds, would be lost. False: it may not go there, as it has been bound since the start. */
static bool move_to(int cpu)
{
    cpu_set_t allowed, only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !CPU_ISSET(cpu, &allowed)) return false;
    if (sched_setaffinity(0, sizeof only, &only) == 0) sched_setaffinity(0, sizeof allowed, &allowed);
    return true;
}

/* A rank that cannot go where the others take it to be is not to be counted any more: it would always be the
 * next to move. */
static bool look(const tti_node *node, int64_t now)
{
    tti_node_note_place(node, sched_getcpu());
    const int cpu = tti_node_take_place(node, now);
    const bool free_to_go = cpu == TTI_NODE_NOWHERE || move_to(cpu);
    if (!free_to_go) tti_node_note_place(node, CPU_SETSIZE);
    return free_to_go;
}

TTI_HOT void tti_spread_look(tti_spread *spread, const tti_node *node, int64_t now)
{
    if (__builtin_expect(now < spread->next, 1)) return;
    const bool looks = tti_option_value(TTI_OPTION_SPREAD) != 0 && look(node, now);
    spread->next = looks ? now + LOOK_NS : INT64_MAX;
}

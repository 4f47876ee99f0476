/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing the windows of a communicator at one rank. */
#include <stdlib.h>

#include "collectives/execute/shown.h"
#include "collectives/execute/windows.h"
#include "runtime/base/status.h"
#include "runtime/node/node_windows.h"
#include "runtime/node/view.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/ways.h"

/* The ranks of the communicator that are on this node; NULL: all are. */
static const int *ranks_here(const tutti_comm *comm, const tti_node_map *nodes, int *count)
{
    *count = comm->size;
    if (nodes == NULL) return NULL;
    const int node = nodes->node_of[comm->rank];
    *count = tti_node_ranks(nodes, node);
    return nodes->members + nodes->start[node];
}

/* Whether this rank shares memory with others of the communicator, and that with all those of its node. */
static bool share(const tutti_comm *comm, const tti_node_map *nodes)
{
    int count;
    const int *ranks = ranks_here(comm, nodes, &count);
    if (tti_ways_node() == NULL || count < 2) return false;
    for (int i = 0; i < count; i++)
        if (tti_ways_node_index(tti_comm_job_rank(comm, ranks == NULL ? i : ranks[i])) < 0) return false;
    return true;
}

int tti_windows_open(const tutti_comm *comm, const tti_node_map *nodes, tti_windows **opened)
{
    *opened = NULL;
    if (!share(comm, nodes)) return 0;
    int count;
    const int *ranks = ranks_here(comm, nodes, &count);
    tti_windows *windows = malloc(sizeof *windows + ((size_t)count + 1) * sizeof windows->peers[0]);
    if (windows == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the list of the %d ranks that share memory",
                        count);
    *windows = (tti_windows){.node = tti_ways_node(), .set = -1, .size = count, .ranks = ranks};
    tti_filling_open(&windows->filling, &tti_node_crossings(windows->node)->figures);
    if (ranks != NULL) windows->places = nodes->place_of;
    windows->rank = tti_windows_place(windows, comm->rank);
    for (int i = 0; i < count; i++)
        windows->peers[i] = tti_ways_node_index(tti_comm_job_rank(comm, tti_windows_rank(windows, i)));
    windows->peers[count] = tti_node_windows_of_last(windows->node);
    *opened = windows;
    return 0;
}

void tti_windows_leave_unused(const tti_windows *windows)
{
    tti_node_windows_leave_unused(windows->node, &windows->name);
}

/* Where it is not known what the others agreed on, these may use the set, or may not: this rank leaves it,
 * and so do they. */
void tti_windows_close(tti_windows *windows)
{
    if (windows == NULL) return;
    tti_shown_close(windows);
    if (windows->set >= 0)
        tti_node_windows_leave(windows->node, windows->set);
    else if (windows->name.of != 0 && windows->rank != windows->taker && !windows->agreed)
        tti_windows_leave_unused(windows);
    free(windows);
}

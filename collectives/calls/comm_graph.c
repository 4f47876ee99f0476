/* SPDX-License-Identifier: BSD-3-Clause */
/* Making communicators that carry each rank's neighbours of a graph. No rank sees all edges: each adds up a
 * number of every edge that comes to it, and takes off that of every edge that leads from it. The sum over
 * all ranks is 0 where both ends know the same edges. Only where it is not do ranks look for the edge. */
#include <stdlib.h>

#include "collectives/calls/call.h"
#include "collectives/calls/comm_group.h"
#include "collectives/execute/comm_cache.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"
#include "tutti/collectives.h"

static const char name[] = "tutti_comm_graph";

/* What each rank tells all. */
typedef struct {
    uint64_t edges;
    int64_t targets;
    int64_t wrong; /* the error of its arguments, or 0 */
} digest;

/* What each rank tells each: how often it names it. */
typedef struct {
    uint32_t as_target, as_source;
} naming;

static int check_list(const tutti_comm *comm, const tti_named_neighbours *list, const char *which)
{
    if (list->count < 0 || (list->count > 0 && list->ranks == NULL))
        return tti_fail(TUTTI_ERR_ARG, "%s: a list of %d %s%s", name, list->count, which,
                        list->count > 0 ? " that is NULL" : "");
    for (int i = 0; i < list->count; i++) {
        if (list->ranks[i] < 0 || list->ranks[i] >= comm->size)
            return tti_fail(TUTTI_ERR_RANK, "%s: number %d of the %s is rank %d, not in 0 … %d", name, i,
                            which, list->ranks[i], comm->size - 1);
        if (list->weights != NULL && list->weights[i] < 0)
            return tti_fail(TUTTI_ERR_ARG, "%s: number %d of the %s has the weight %d", name, i, which,
                            list->weights[i]);
    }
    return 0;
}

static int check_repeats(const tti_neighbour_list *list, const char *which)
{
    for (int i = 0; i < list->count; i++)
        if (list->numbers[i] >= TTI_EDGES_OF_A_PAIR)
            return tti_fail(TUTTI_ERR_LIMIT, "%s: rank %d is more than %d times among the %s", name,
                            list->ranks[i], TTI_EDGES_OF_A_PAIR, which);
    return 0;
}

/* Of an edge, as many bits as make it unlikely that the sum of wrong ones is 0 (splitmix64). */
static uint64_t number_of_edge(int source, int target)
{
    uint64_t z = ((uint64_t)(uint32_t)source << 32 | (uint32_t)target) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static digest digest_of(const tutti_comm *comm, const tti_neighbours *mine, int wrong)
{
    digest d = {0, wrong == 0 ? mine->targets.count : 0, wrong};
    for (int i = 0; wrong == 0 && i < mine->sources.count; i++)
        d.edges += number_of_edge(mine->sources.ranks[i], comm->rank);
    for (int i = 0; wrong == 0 && i < mine->targets.count; i++)
        d.edges -= number_of_edge(comm->rank, mine->targets.ranks[i]);
    return d;
}

static int compare_namings(const tutti_comm *comm, const naming *mine, const naming *theirs)
{
    for (int r = 0; r < comm->size; r++) {
        const bool to = mine[r].as_target != theirs[r].as_source;
        if (!to && mine[r].as_source == theirs[r].as_target) continue;
        return tti_fail(
            TUTTI_ERR_ARG, "%s: of edges from rank %d to rank %d, the one knows of %u, the other of %u", name,
            to ? comm->rank : r, to ? r : comm->rank, to ? mine[r].as_target : theirs[r].as_target,
            to ? theirs[r].as_source : mine[r].as_source);
    }
    return tti_fail(TUTTI_ERR_ARG, "%s: other ranks differ in the edges between them", name);
}

/* The ranks are known to differ: all tell each other. */
static int find_difference(tutti_comm *comm, const tti_neighbours *mine)
{
    const size_t size = (size_t)comm->size;
    tti_call call;
    naming *given = calloc(2 * size, sizeof *given);
    if (given == NULL)
        return tti_run_drop_out(
            comm, tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory to compare %d ranks", name, comm->size));
    for (int i = 0; i < mine->targets.count; i++)
        given[mine->targets.ranks[i]].as_target++;
    for (int i = 0; i < mine->sources.count; i++)
        given[mine->sources.ranks[i]].as_source++;
    int code = tti_call_make(
        &call, name, TTI_ALLTOALL,
        &(tti_arguments){.comm = comm, .send = given, .recv = given + size, .count = sizeof *given});
    code = tti_call_block_part(code, &call);
    if (code == 0) code = compare_namings(comm, given, given + size);
    free(given);
    return code;
}

/* The same answer at all ranks, but for the detail. */
static int judge(tutti_comm *comm, const digest *all, tti_neighbours *mine, int wrong)
{
    uint64_t sum = 0;
    for (int r = 0; r < comm->size; r++) {
        sum += all[r].edges;
        if (wrong == 0 && all[r].targets > mine->most) mine->most = (int)all[r].targets;
        if (all[r].wrong == 0) continue;
        return wrong < 0
                   ? wrong
                   : tti_fail(all[r].wrong == TUTTI_ERR_NO_MEMORY ? TUTTI_ERR_NO_MEMORY : TUTTI_ERR_ARG,
                              "%s: rank %d cannot take part: %s", name, r, tutti_strerror((int)all[r].wrong));
    }
    return sum == 0 ? 0 : find_difference(comm, mine);
}

/* Each tells its neighbours along each edge where that stands in its list, for exchanges on shared memory.
 * This one passes messages, and its plan is not kept: the next exchange has a better one. */
static int tell_places(tutti_comm *graph, tti_neighbours *mine)
{
    tti_call call;
    tti_edge_place *own = malloc(((size_t)mine->targets.count + 1) * sizeof *own);
    tti_edge_place *theirs = malloc(((size_t)mine->sources.count + 1) * sizeof *theirs);
    int code = 0;
    if (own == NULL || theirs == NULL)
        code =
            tti_run_drop_out(graph, tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for the places of %d edges",
                                             name, mine->sources.count + mine->targets.count));
    for (int i = 0; code == 0 && i < mine->targets.count; i++)
        own[i] = (tti_edge_place){i, mine->targets.count};
    if (code == 0)
        code =
            tti_call_make(&call, name, TTI_NEIGHBOR_ALLTOALL,
                          &(tti_arguments){.comm = graph, .send = own, .recv = theirs, .count = sizeof *own});
    if (code == 0) code = tti_call_block_part(0, &call);
    if (graph->collectives != NULL) tti_plans_drop(&((tti_comm_cache *)graph->collectives)->plans);
    free(own);
    if (code == 0)
        mine->places = theirs;
    else
        free(theirs);
    return code;
}

/* Who has made it may be in its first call already, and lose the communicator for collectives by that: then
 * it is made here as well, and lost. */
static int make_graph(tutti_comm *comm, tti_neighbours *mine, tutti_comm **graph)
{
    tti_group g = {.neighbours = mine};
    tutti_comm *made = NULL;
    int code = tti_group_make(name, comm, &g, tti_group_of_all(name, comm, &g), &made);
    if (code < 0) return code;
    code = tell_places(made, made->neighbours);
    if (made->drop_out_code != 0 && made->drop_out_rank != tti_comm_job_rank(made, made->rank)) code = 0;
    if (code == 0)
        *graph = made;
    else
        tti_comm_release(made);
    return code;
}

/* Takes over the neighbours, which there are unless something is wrong. Under the lock. */
static int make(tutti_comm *comm, tti_neighbours *mine, int wrong, tutti_comm **graph)
{
    int code;
    const digest told = digest_of(comm, mine, wrong);
    digest *all = tti_group_tell_all(name, comm, &told, sizeof told, &code);
    if (code == 0) code = judge(comm, all, mine, wrong);
    free(all);
    if (code == 0) return make_graph(comm, mine, graph);
    tti_neighbours_free(mine);
    return code;
}

static int take_lists(const tutti_comm *comm, const tti_named_neighbours *sources,
                      const tti_named_neighbours *targets, tti_neighbours **mine)
{
    int code = check_list(comm, sources, "sources");
    if (code == 0) code = check_list(comm, targets, "targets");
    if (code < 0) return code;
    *mine = tti_neighbours_make(sources, targets);
    if (*mine == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for %d sources and %d targets", name,
                        sources->count, targets->count);
    code = check_repeats(&(*mine)->sources, "sources");
    return code < 0 ? code : check_repeats(&(*mine)->targets, "targets");
}

int tutti_comm_graph(tutti_comm *comm, const int *sources, const int *source_weights, int source_count,
                     const int *targets, const int *target_weights, int target_count, tutti_comm **graph)
{
    const tti_named_neighbours from = {sources, source_weights, source_count},
                               to = {targets, target_weights, target_count};
    tti_neighbours *mine = NULL;
    int code = tti_group_begin(name, comm, graph);
    if (code < 0) return tti_answer(code);
    const int wrong = take_lists(comm, &from, &to, &mine);
    tti_lock();
    code = make(comm, mine, wrong, graph);
    tti_unlock();
    return tti_answer(code);
}

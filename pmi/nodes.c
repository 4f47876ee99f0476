/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank runs on which node. Nodes are numbered by their place in the launcher's list of the job's nodes,
 * the same on every rank. The list is read at start; where a rank runs is looked up at the first question
 * about it, and kept: 4 bytes a rank, and only once a rank of another node was asked about.
 *
 * Both are facts that PMIx has at hand locally. PMIx_Resolve_peers() would give a node's ranks at once, but
 * under Open MPI 4 it asks the server, without a time limit, and waits for ever where mpirun's own node has
 * no ranks. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pmi/client.h"
#include "runtime/base/status.h"

#define UNKNOWN (-1)

typedef struct {
    const char *name;
    int index; /* place in the launcher's list */
} node;

static struct {
    node *nodes; /* ascending by name, in one allocation with the names; NULL where there is one node */
    int count;
    int32_t *map; /* node of each rank or UNKNOWN; NULL before the first question */
} state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const node *)a)->name, ((const node *)b)->name);
}

/* Takes "a,b,c" apart. False if memory ran out. */
static bool read_list(const char *text)
{
    size_t most = 1;
    for (const char *at = text; *at != '\0'; at++)
        most += *at == ',';
    state.nodes = malloc(most * sizeof(node) + strlen(text) + 1);
    if (state.nodes == NULL) return false;
    char *rest = strcpy((char *)(state.nodes + most), text);
    for (char *name; (name = strsep(&rest, ",")) != NULL;) {
        if (*name == '\0') continue;
        state.nodes[state.count] = (node){name, state.count};
        state.count++;
    }
    qsort(state.nodes, (size_t)state.count, sizeof(node), by_name);
    return true;
}

/* Node of the rank as the launcher has it. */
static int look_up(int rank)
{
    char *name;
    if (!tti_pmi_fact_text((pmix_rank_t)rank, PMIX_HOSTNAME, &name))
        return tti_fail(TUTTI_ERR_LAUNCH, "the launcher does not say where rank %d runs (%s)", rank,
                        PMIX_HOSTNAME);
    const node wanted = {name, 0};
    const node *found = bsearch(&wanted, state.nodes, (size_t)state.count, sizeof(node), by_name);
    if (found == NULL)
        tti_fail(TUTTI_ERR_LAUNCH,
                 "rank %d runs on \"%s\", which is not in the launcher's list of the job's %d nodes", rank,
                 name, state.count);
    free(name);
    return found != NULL ? found->index : TUTTI_ERR_LAUNCH;
}

int tti_pmi_nodes_open(void)
{
    tti_job *job = &tti_pmi_self.job;
    if (job->local_size == job->size) return 0;

    char *text;
    if (!tti_pmi_fact_text(PMIX_RANK_WILDCARD, PMIX_NODE_LIST, &text))
        return tti_fail(TUTTI_ERR_LAUNCH, "the launcher does not name the nodes of the job (%s)",
                        PMIX_NODE_LIST);
    const bool read = read_list(text);
    free(text);
    if (!read) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the list of the job's nodes");
    const int own = look_up(job->rank);
    if (own < 0) return own;
    job->node = own;
    job->nodes = state.count;
    return 0;
}

void tti_pmi_nodes_close(void)
{
    free(state.map);
    free(state.nodes);
    memset(&state, 0, sizeof state);
}

static int make_map(void)
{
    const size_t bytes = (size_t)tti_pmi_self.job.size * sizeof *state.map;
    state.map = malloc(bytes);
    if (state.map == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a node map of %zu bytes", bytes);
    memset(state.map, 0xff, bytes);
    return 0;
}

static int remembered(int rank)
{
    pthread_mutex_lock(&lock);
    int code = state.map != NULL ? 0 : make_map();
    if (code == 0 && state.map[rank] == UNKNOWN) {
        code = look_up(rank);
        if (code >= 0) state.map[rank] = code;
    }
    if (code >= 0) code = state.map[rank];
    pthread_mutex_unlock(&lock);
    return code;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int tti_pmi_node_of(int rank)
{
    const tti_job *job = &tti_pmi_self.job;
    if (rank < 0 || rank >= job->size)
        return tti_fail(TUTTI_ERR_RANK, "rank %d is not in 0 … %d", rank, job->size - 1);
    if (bsearch(&rank, job->local_ranks, (size_t)job->local_size, sizeof(int), compare) != NULL)
        return job->node;
    return remembered(rank);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank runs on which node. Nodes are numbered by their place in the launcher's list of the job's nodes,
 * the same on every rank. The list of nodes is read at start, the ranks on them at the first question about a
 * rank that is not on this node: 4 bytes a rank, and only then. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pmi/client.h"
#include "runtime/base/status.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* "a,b,c" → NULL-ended array in one allocation with the text; NULL if memory ran out. */
static char **split_names(const char *text, int *count)
{
    size_t names = 1;
    for (const char *at = text; *at != '\0'; at++)
        names += *at == ',';
    const size_t table = (names + 1) * sizeof(char *);
    char **list = malloc(table + strlen(text) + 1);
    if (list == NULL) return NULL;
    char *rest = strcpy((char *)list + table, text);
    *count = 0;
    for (char *name; (name = strsep(&rest, ",")) != NULL;) {
        if (*name != '\0') list[(*count)++] = name;
    }
    list[*count] = NULL;
    return list;
}

/* Calls visit(rank) for each rank of the job on the named node until it returns false. */
typedef bool visit_fn(pmix_rank_t rank, void *context);

static bool visit_node(const char *name, visit_fn *visit, void *context)
{
    pmix_proc_t *processes = NULL;
    size_t count = 0;
    if (PMIx_Resolve_peers(name, tti_pmi_self.me.nspace, &processes, &count) != PMIX_SUCCESS) return false;
    for (size_t i = 0; i < count && visit(processes[i].rank, context); i++)
        continue;
    if (processes != NULL) PMIX_PROC_FREE(processes, count);
    return true;
}

static bool is_other(pmix_rank_t rank, void *found)
{
    const bool same = rank == tti_pmi_self.me.rank;
    if (same) *(bool *)found = true;
    return !same;
}

/* This rank's node: by the name the launcher gives it, else by asking node after node who runs there. */
static int own_node(char **names)
{
    char *own = NULL;
    if (tti_pmi_fact_text(tti_pmi_self.me.rank, PMIX_HOSTNAME, &own)) {
        int index = 0;
        while (names[index] != NULL && strcmp(names[index], own) != 0)
            index++;
        free(own);
        if (names[index] != NULL) return index;
    }
    for (int index = 0; names[index] != NULL; index++) {
        bool found = false;
        if (visit_node(names[index], is_other, &found) && found) return index;
    }
    return tti_fail(TUTTI_ERR_LAUNCH, "the launcher lists this rank on none of the job's nodes");
}

int tti_pmi_nodes_open(void)
{
    tti_job *job = &tti_pmi_self.job;
    if (job->local_size == job->size) return 0;

    char *text = NULL;
    if (PMIx_Resolve_nodes(tti_pmi_self.me.nspace, &text) != PMIX_SUCCESS || text == NULL)
        return tti_fail(TUTTI_ERR_LAUNCH, "the launcher does not name the nodes of the job");
    tti_pmi_self.node_names = split_names(text, &job->nodes);
    free(text);
    if (tti_pmi_self.node_names == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the list of nodes");
    const int node = own_node(tti_pmi_self.node_names);
    if (node < 0) return node;
    job->node = node;
    return 0;
}

void tti_pmi_nodes_close(void)
{
    free(tti_pmi_self.node_map);
    free(tti_pmi_self.node_names);
}

struct placing {
    int32_t *map;
    int32_t node;
};

static bool place(pmix_rank_t rank, void *context)
{
    const struct placing *placing = context;
    if (rank < (pmix_rank_t)tti_pmi_self.job.size) placing->map[rank] = placing->node;
    return true;
}

static int make_map(int32_t **made)
{
    const size_t size = (size_t)tti_pmi_self.job.size;
    struct placing placing = {.map = malloc(size * sizeof(int32_t))};
    if (placing.map == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the node map of %zu ranks", size);
    memset(placing.map, 0xff, size * sizeof(int32_t));
    for (; tti_pmi_self.node_names[placing.node] != NULL; placing.node++) {
        const char *name = tti_pmi_self.node_names[placing.node];
        if (!visit_node(name, place, &placing)) {
            free(placing.map);
            return tti_fail(TUTTI_ERR_LAUNCH, "the launcher does not say which ranks run on node %s", name);
        }
    }
    *made = placing.map;
    return 0;
}

static int look_up(int rank)
{
    pthread_mutex_lock(&lock);
    const int code = tti_pmi_self.node_map != NULL ? 0 : make_map(&tti_pmi_self.node_map);
    const int node = code == 0 ? tti_pmi_self.node_map[rank] : 0;
    pthread_mutex_unlock(&lock);
    if (code < 0) return code;
    return node >= 0 ? node
                     : tti_fail(TUTTI_ERR_LAUNCH, "the launcher does not say where rank %d runs", rank);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int tti_pmi_node_of(int rank)
{
    const tti_job *job = &tti_pmi_self.job;
    if (rank < 0 || rank >= job->size)
        return tti_fail(TUTTI_ERR_RANK, "rank %d is not in 0..%d", rank, job->size - 1);
    if (bsearch(&rank, job->local_ranks, (size_t)job->local_size, sizeof(int), compare) != NULL)
        return job->node;
    return look_up(rank);
}

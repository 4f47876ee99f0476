/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that cannot tell where another one runs, as the launcher's answer or memory is missing, has an
 * error: without its map of the nodes it would take another way than the others, or another order of ranks.
 */
#include <stdlib.h>
#include <string.h>

#include "collectives/execute/comm_cache.h"
#include "keep/store.h"
#include "pmi/client.h"
#include "tests/no_memory.h"
#include "tests/unit/expect.h"

#define RANKS 4
#define MOST_ALLOCATIONS 100

static int unknown; /* the rank of which the launcher says nothing; negative: none */
static int local_ranks[] = {0, 1};
static int members[RANKS] = {0, 1, 2, 3};
static tutti_comm comm = {.size = RANKS, .members = members};

/* The launcher, which is not short of memory itself. */
static pmix_value_t *answer(pmix_rank_t rank, const char *key)
{
    const int left = countdown;
    const char *host = rank < 2 ? "a" : "b";
    pmix_value_t *value = NULL;
    if (rank != PMIX_RANK_WILDCARD && (int)rank == unknown) return NULL;
    countdown = -1;
    PMIX_VALUE_CREATE(value, 1);
    EXPECT(value != NULL);
    PMIX_VALUE_LOAD(value, strcmp(key, PMIX_NODE_LIST) == 0 ? "a,b" : host, PMIX_STRING);
    countdown = left;
    return value;
}

/* Rank 0 of two nodes with two ranks each, which has asked for no other rank yet. */
static void open_job(void)
{
    tti_pmi_self =
        (tti_pmi_client){.fact = answer, .job = {.size = RANKS, .local_size = 2, .local_ranks = local_ranks}};
    EXPECT(tti_pmi_nodes_open() == 0);
}

static void close_job(void)
{
    if (comm.collectives != NULL) comm.collectives_end(&comm);
    comm.collectives = NULL;
    tti_pmi_nodes_close();
}

static void check_silent_launcher(void)
{
    int labels[RANKS];
    tti_keep *keep;
    unknown = 3;
    open_job();
    EXPECT(tti_comm_cache_get(&comm) == NULL && strstr(tutti_error_detail(), "rank 3 runs") != NULL);
    EXPECT(comm.collectives == NULL && !tti_comm_nodes(&comm, labels, RANKS));
    EXPECT(tti_comm_nodes(&comm, labels, RANKS - 1) && labels[1] == 0 && labels[2] == 1);
    EXPECT(tti_keep_make("state", &comm, &keep) == TUTTI_ERR_LAUNCH);
    close_job();
}

/* Where an allocation fails, whichever, the cache is not there; and it is not without its nodes. */
static void check_memory(void)
{
    const tti_comm_cache *cache = NULL;
    int n = 0;
    unknown = -1;
    for (; cache == NULL && n < MOST_ALLOCATIONS; n++) {
        open_job();
        countdown = n;
        cache = tti_comm_cache_get(&comm);
        countdown = -1;
        if (cache == NULL)
            EXPECT(strstr(tutti_error_detail(), "no memory") != NULL);
        else
            EXPECT(cache->nodes != NULL && cache->nodes->nodes == 2);
        close_job();
    }
    EXPECT(cache != NULL && n > 3);
}

int main(void)
{
    check_silent_launcher();
    check_memory();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators know from their beginning what the one that they are made of has been told: whether ranks
 * share processors, and who is near whom; also where no call of theirs ever blocks. */
#include "collectives/execute/comm_cache.h"
#include "runtime/comm/comm.h"
#include "runtime/progress/lock.h"
#include "tests/job/job.h"

static int group_of(int job_rank)
{
    return job_rank % 3;
}

/* As if it had been learnt in the first blocking call. */
static void tell(bool crowded, bool groups)
{
    int *labels = malloc((size_t)size * sizeof *labels);
    EXPECT(labels != NULL);
    for (int r = 0; r < size; r++)
        labels[r] = group_of(r);
    OK(tutti_barrier(world));
    tti_lock();
    tti_comm_cache *cache = tti_comm_cache_get(world);
    EXPECT(cache != NULL && cache->acquainted && cache->told);
    tti_plans_drop(&cache->plans);
    tti_node_map_free(cache->groups);
    cache->crowded = crowded;
    cache->groups = groups ? tti_node_map_make(labels, size) : NULL;
    EXPECT(!groups || cache->groups != NULL);
    tti_unlock();
    free(labels);
    OK(tutti_barrier(world));
}

static void expect_groups(const tutti_comm *part, const tti_node_map *groups, bool told)
{
    bool alike = true;
    for (int r = 0; r < part->size; r++)
        alike = alike && group_of(tti_comm_job_rank(part, r)) == group_of(tti_comm_job_rank(part, 0));
    EXPECT((groups != NULL) == (told && !alike));
    for (int r = 0; r < part->size && groups != NULL; r++)
        EXPECT((groups->node_of[r] == groups->node_of[0]) ==
               (group_of(tti_comm_job_rank(part, r)) == group_of(tti_comm_job_rank(part, 0))));
}

/* Nothing but nonblocking calls before and after. */
static void expect_known(tutti_comm *part, bool crowded, bool groups)
{
    tutti_request *request;
    int64_t one = 1, sum = 0;
    const tti_comm_cache *cache = part->collectives;
    EXPECT(cache != NULL && cache->acquainted && cache->told && cache->crowded == crowded);
    expect_groups(part, cache->groups, groups);
    OK(tutti_iallreduce(part, &one, &sum, 1, TUTTI_INT64, TUTTI_SUM, &request));
    OK(tutti_wait(&request, NULL));
    EXPECT(sum == part->size);
    OK(tutti_comm_free(&part));
}

static void test_parts(bool crowded, bool groups)
{
    tutti_comm *part;
    const int before = (rank + size - 1) % size, after = (rank + 1) % size, periodic = 1;
    tell(crowded, groups);
    OK(tutti_comm_dup(world, &part));
    expect_known(part, crowded, groups);
    OK(tutti_comm_split(world, rank % 2, -rank, &part));
    expect_known(part, crowded, groups);
    OK(tutti_comm_grid(world, 1, &size, &periodic, 0, &part));
    expect_known(part, crowded, groups);
    OK(tutti_comm_graph(world, &before, NULL, 1, &after, NULL, 1, &part));
    expect_known(part, crowded, groups);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    test_parts(false, false);
    test_parts(true, false);
    test_parts(false, true);
    return job_close();
}

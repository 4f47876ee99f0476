/* SPDX-License-Identifier: BSD-3-Clause */
/* Bcast, reduce and allreduce among ranks that are told that they are near each other in groups, over several
 * such groupings, in one block and several, in the blocking form and in flight. */
#include "collectives/execute/comm_cache.h"
#include "collectives/select/select.h"
#include "runtime/comm/comm.h"
#include "runtime/progress/lock.h"
#include "tests/job/job.h"

#define MOST 400000 /* elements, more than both halves of a large window hold */
#define GROUPINGS 4
#define FLYING 6

static const size_t counts[] = {1, 7, 900, 4000, MOST};
static int64_t mine[MOST], sum[MOST];

static int group_of(int grouping, int r)
{
    switch (grouping) {
    case 0: return r / 2;
    case 1: return r % 3;
    case 2: return r > 0;
    default: return r < size / 2 ? r : size;
    }
}

/* As if it had been learnt in the communicator's first blocking call. */
static void tell_groups(int grouping)
{
    int *labels = malloc((size_t)size * sizeof *labels);
    EXPECT(labels != NULL);
    for (int r = 0; r < size; r++)
        labels[r] = group_of(grouping, r);
    OK(tutti_barrier(world));
    tti_lock();
    tti_comm_cache *cache = tti_comm_cache_get(world);
    EXPECT(cache != NULL && cache->acquainted);
    tti_plans_drop(&cache->plans);
    tti_node_map_free(cache->groups);
    cache->crowded = false;
    cache->groups = tti_node_map_make(labels, size);
    EXPECT(cache->groups != NULL);
    tti_unlock();
    free(labels);
    OK(tutti_barrier(world));
}

static void expect_chosen(enum tti_collective collective)
{
    const tti_question question = {
        .size = size, .bytes = 8, .commutes = true, .window = true, .groups = true};
    EXPECT(strcmp(tti_select(collective, &question).algorithm->name, "window_groups") == 0);
}

static void fill(size_t count, int step)
{
    for (size_t i = 0; i < count; i++) {
        mine[i] = (int64_t)i * (rank + 1) + step;
        sum[i] = -1;
    }
}

static void expect_sum(size_t count, int step)
{
    for (size_t i = 0; i < count; i++)
        EXPECT(sum[i] == (int64_t)i * size * (size + 1) / 2 + (int64_t)step * size);
}

static void block(size_t count, int step)
{
    const int root = step % size;
    fill(count, step);
    OK(tutti_allreduce(world, mine, sum, count, TUTTI_INT64, TUTTI_SUM));
    expect_sum(count, step);
    fill(count, step);
    OK(tutti_reduce(world, mine, sum, count, TUTTI_INT64, TUTTI_SUM, root));
    if (rank == root) expect_sum(count, step);
    OK(tutti_bcast(world, mine, count * sizeof mine[0], root));
    for (size_t i = 0; i < count; i++)
        EXPECT(mine[i] == (int64_t)i * (root + 1) + step);
}

/* Several at once, also of what does not fit into a small window, in place. */
static void fly(size_t count, int step)
{
    static int64_t data[FLYING][4000];
    tutti_request *requests[FLYING];
    for (int f = 0; f < FLYING; f++) {
        for (size_t i = 0; i < count; i++)
            data[f][i] = (int64_t)i * (rank + 1) + step + f;
        OK(tutti_iallreduce(world, TUTTI_IN_PLACE, data[f], count, TUTTI_INT64, TUTTI_SUM, &requests[f]));
    }
    OK(tutti_waitall(FLYING, requests, NULL));
    for (int f = 0; f < FLYING; f++)
        for (size_t i = 0; i < count; i++)
            EXPECT(data[f][i] == (int64_t)i * size * (size + 1) / 2 + (int64_t)(step + f) * size);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    OK(tutti_barrier(world));
    expect_chosen(TTI_BCAST);
    expect_chosen(TTI_REDUCE);
    expect_chosen(TTI_ALLREDUCE);
    for (int grouping = 0; grouping < GROUPINGS; grouping++) {
        tell_groups(grouping);
        for (int step = 0; step < 2 * size; step++) {
            block(counts[step % 4], step);
            fly(counts[step % 4], step);
        }
        block(counts[4], grouping);
    }
    return job_close();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups: the maps there and back; contexts: each once, and given back with the last reference. */
#include <string.h>

#include "runtime/comm/comm.h"
#include "tests/unit/expect.h"

static uint32_t last_gone;
static int gone_count, freed_count;

static void gone(uint32_t context)
{
    last_gone = context;
    gone_count++;
}

static void free_schedules(void *schedules)
{
    EXPECT(schedules == &freed_count);
    freed_count++;
}

static uint32_t take(void)
{
    uint64_t mask[TTI_COMM_MASK_WORDS];
    uint32_t context;
    tti_comm_free_contexts(mask);
    EXPECT(tti_comm_take_context(mask, &context) == 0);
    return context;
}

static void test_maps(void)
{
    static const int members[] = {7, 3, 9, 0, 4};
    tutti_comm *comm;
    EXPECT(tti_comm_make(members, 5, 2, &comm) == 0);
    comm->context = take();
    EXPECT(comm->rank == 2 && comm->size == 5);
    for (int i = 0; i < 5; i++)
        EXPECT(tti_comm_world(comm, i) == members[i] && tti_comm_rank_of(comm, members[i]) == i);
    EXPECT(tti_comm_rank_of(comm, 1) == -1 && tti_comm_rank_of(comm, 10) == -1 &&
           tti_comm_rank_of(comm, -1) == -1);
    tti_comm_release(comm);
}

static void test_identity(void)
{
    int members[10];
    for (int i = 0; i < 10; i++)
        members[i] = i;
    tutti_comm *comm;
    EXPECT(tti_comm_make(members, 10, 3, &comm) == 0);
    comm->context = take();
    EXPECT(comm->members == NULL && tti_comm_rank_of(comm, 9) == 9 && tti_comm_rank_of(comm, 10) == -1);
    tti_comm_release(comm);
}

static void test_references(void)
{
    static const int members[] = {0, 1};
    tutti_comm *comm;
    const uint32_t context = take();
    EXPECT(tti_comm_make(members, 2, 0, &comm) == 0);
    comm->context = context;
    comm->collectives = &freed_count;
    comm->collectives_free = free_schedules;
    tti_comm_watch(gone);
    tti_comm_hold(comm);
    tti_comm_release(comm);
    EXPECT(gone_count == 0 && freed_count == 0);
    tti_comm_release(comm);
    EXPECT(gone_count == 1 && last_gone == context && freed_count == 1);
    EXPECT(take() == context);
    EXPECT(tti_comm_make(members, 2, 0, &comm) == 0);
    comm->context = context;
    tti_comm_keep_context(context);
    tti_comm_release(comm);
    EXPECT(tti_comm_has_context(context) && take() != context);
    tti_comm_watch(NULL);
}

static void test_contexts_run_out(void)
{
    uint64_t mask[TTI_COMM_MASK_WORDS], none[TTI_COMM_MASK_WORDS] = {0};
    uint32_t context;
    EXPECT(tti_comm_take_context(none, &context) == TUTTI_ERR_LIMIT);
    tti_comm_free_contexts(mask);
    int count = 0;
    while (tti_comm_take_context(mask, &context) == 0)
        count++;
    EXPECT(count > TTI_COMM_CONTEXTS - 10 && count < TTI_COMM_CONTEXTS);
    EXPECT(strstr(tutti_error_detail(), "4096") != NULL);
}

int main(void)
{
    tutti_comm *world;
    EXPECT(tti_comm_open_world(3, 10, &world) == 0);
    EXPECT(world->context == 0 && tti_comm_world(world, 8) == 8 && tti_comm_rank_of(world, 10) == -1);
    test_maps();
    test_identity();
    test_references();
    test_contexts_run_out();
    tti_comm_release(world);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups: the maps there and back; contexts: each once, and found until the last reference goes. */
#include "runtime/comm/comm.h"
#include "tests/unit/expect.h"

static uint64_t last_gone;
static int gone_count, freed_count;

static void gone(uint64_t context)
{
    last_gone = context;
    gone_count++;
}

static void free_schedules(tutti_comm *comm)
{
    EXPECT(comm->collectives == &freed_count);
    freed_count++;
}

static void test_maps(void)
{
    static const int members[] = {7, 3, 9, 0, 4};
    tutti_comm *comm;
    EXPECT(tti_comm_make(members, 5, 2, &comm) == 0);
    EXPECT(comm->rank == 2 && comm->size == 5);
    for (int i = 0; i < 5; i++)
        EXPECT(tti_comm_job_rank(comm, i) == members[i] && tti_comm_rank_of(comm, members[i]) == i);
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
    EXPECT(comm->members == NULL && tti_comm_rank_of(comm, 9) == 9 && tti_comm_rank_of(comm, 10) == -1);
    tti_comm_release(comm);
}

static void test_references(void)
{
    static const int members[] = {0, 1};
    tutti_comm *comm;
    const uint64_t context = tti_comm_new_context();
    EXPECT(tti_comm_make(members, 2, 0, &comm) == 0 && tti_comm_find(context) == NULL);
    tti_comm_set_context(comm, context);
    comm->collectives = &freed_count;
    comm->collectives_end = free_schedules;
    tti_comm_watch(gone);
    tti_comm_hold(comm);
    tti_comm_release(comm);
    EXPECT(gone_count == 0 && freed_count == 0 && tti_comm_find(context) == comm);
    tti_comm_release(comm);
    EXPECT(gone_count == 1 && last_gone == context && freed_count == 1 && tti_comm_find(context) == NULL);
    EXPECT(tti_comm_make(members, 2, 0, &comm) == 0);
    tti_comm_release(comm); /* without a context */
    EXPECT(gone_count == 1);
    tti_comm_watch(NULL);
}

/* More than there are places for them; those of other ranks are others. */
static void test_many_contexts(void)
{
    static tutti_comm *comms[20000];
    static const int members[] = {0, 1};
    for (int i = 0; i < 20000; i++) {
        const uint64_t context = tti_comm_new_context();
        EXPECT(context % 10 == 3 && tti_comm_find(context) == NULL);
        EXPECT(tti_comm_make(members, 2, 0, &comms[i]) == 0);
        tti_comm_set_context(comms[i], context);
    }
    for (int i = 0; i < 20000; i++) {
        const uint64_t context = comms[i]->context;
        EXPECT(tti_comm_find(context) == comms[i]);
        if (i % 2 == 1) tti_comm_release(comms[i]);
        EXPECT((tti_comm_find(context) == NULL) == (i % 2 == 1));
    }
    for (int i = 0; i < 20000; i += 2)
        tti_comm_release(comms[i]);
}

int main(void)
{
    tutti_comm *world;
    EXPECT(tti_comm_open_world(3, 10, 0, &world) == 0);
    EXPECT(world->context == 0 && tti_comm_find(0) == world);
    EXPECT(tti_comm_job_rank(world, 8) == 8 && tti_comm_rank_of(world, 10) == -1);
    test_maps();
    test_identity();
    test_references();
    test_many_contexts();
    tti_comm_release(world);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a communicator has a lost member is asked in each call on it for as long as the job runs. Once the
 * sweep has found the lost ranks those alone are looked at, of however many the job is made; until then all
 * are, with the same answer. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/peers/peer_failure.h"
#include "runtime/peers/peers.h"
#include "tests/unit/expect.h"

#define RANKS (1 << 20)
#define STRANGER 3 /* of the job, no member */
#define CALLS 10000

static const int members[] = {700000, 5, 900000, 20}; /* ranks of the job */
static const tti_job job = {.rank = 5, .size = RANKS, .nodes = 1};
static tutti_comm *comm;
static size_t page;
static void *own; /* what the table had in the place of pages */

/* What is known of each rank lies in pages that can be taken away. */
static void open_table(void)
{
    page = (size_t)sysconf(_SC_PAGESIZE);
    EXPECT(tti_peers_open(&job) == 0);
    own = (void *)tti_peers.failed;
    void *pages = mmap(NULL, RANKS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(pages != MAP_FAILED);
    tti_peers.failed = pages;
}

static void close_table(void)
{
    EXPECT(munmap((void *)tti_peers.failed, RANKS) == 0);
    tti_peers.failed = own;
    tti_peers_close();
}

static void protect(size_t from, size_t bytes, int access)
{
    EXPECT(mprotect((char *)(void *)tti_peers.failed + from, bytes, access) == 0);
}

/* From here on only what is known of the first ranks can be read. */
static void hide_others(void)
{
    protect(page, RANKS - page, PROT_NONE);
}

static void show_all(void)
{
    protect(0, RANKS, PROT_READ | PROT_WRITE);
}

static void lose(int job_rank)
{
    tti_peer_lost(NULL, job_rank, TUTTI_ERR_PEER_FAILED);
}

static void expect_lost(int dead, int lost)
{
    EXPECT(tti_lost_dead_member(comm) == dead && tti_lost_member(comm) == lost);
}

static void test_strangers_death(void)
{
    expect_lost(-1, -1);
    lose(STRANGER);
    expect_lost(-1, -1);
    tti_failure_find();
    hide_others();
    for (int i = 0; i < CALLS; i++)
        expect_lost(-1, -1);
    show_all();
}

/* Of several the first one of the job is named, whichever was found first, and one that has left last. */
static void test_members_deaths(void)
{
    tti_peer_left(20);
    expect_lost(-1, 3);
    tti_failure_find();
    expect_lost(-1, 3);
    lose(900000);
    expect_lost(2, 2); /* the sweep has yet to find it */
    tti_failure_find();
    expect_lost(2, 2);
    lose(700000);
    expect_lost(0, 0);
    tti_failure_find();
    expect_lost(0, 0);
    EXPECT(tti_lost_check_parts(comm) == TUTTI_ERR_PEER_FAILED);
    EXPECT(strstr(tutti_error_detail(), "rank 0 (700000 of the job)") != NULL);
}

int main(void)
{
    open_table();
    EXPECT(tti_comm_make(members, (int)(sizeof members / sizeof *members), 1, &comm) == 0);
    test_strangers_death();
    test_members_deaths();
    tti_comm_release(comm);
    close_table();
    return 0;
}

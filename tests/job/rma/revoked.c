/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator is revoked while a get or a put on its window is under way, and the target lives, but makes
 * no progress: the request ends with TUTTI_ERR_REVOKED when nobody uses the buffer any more, and what the
 * program does with that afterwards neither is lost nor gets to the target. Where the target's memory is gone
 * the request ends, too. */
#include <sys/mman.h>

#include "tests/job/job.h"

/* Longer than it takes to give up what is under way to a rank that is lost. */
#define AWAY_MS 1500
#define LONG ((size_t)4 << 20)
/* What is mapped meanwhile goes to the end of a hole, so its beginning stays one. */
#define HOLE ((size_t)64 << 20)

enum { BEFORE = 1, MOVED = 3, AFTER = 5 };

static unsigned char buffer[LONG], part[LONG];

static void be_away(void)
{
    const struct timespec while_others_wait = {AWAY_MS / 1000, AWAY_MS % 1000 * 1000000L};
    nanosleep(&while_others_wait, NULL);
}

/* NULL: it was over at once. */
static int revoke_and_wait(tutti_comm *comm, tutti_request **request)
{
    const int under_way = *request != NULL;
    OK(tutti_comm_revoke(comm));
    const int code = tutti_wait(request, NULL);
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0); /* the other one was quick */
    return under_way ? code : 0;
}

static void check_all(const unsigned char *bytes, int value)
{
    for (size_t i = 0; i < LONG; i++)
        EXPECT(bytes[i] == value);
}

static void get_from_one_away(tutti_comm *comm, tutti_window *window)
{
    tutti_request *request = NULL;
    if (rank == size - 1) be_away();
    if (rank != 0) return;
    OK(tutti_get(window, buffer, LONG, size - 1, 0, &request));
    if (revoke_and_wait(comm, &request) == 0) check_all(buffer, BEFORE);
    memset(buffer, AFTER, LONG);
}

static void put_to_one_away(tutti_comm *comm, tutti_window *window)
{
    tutti_request *request = NULL;
    if (rank == size - 1) be_away();
    if (rank != 0) return;
    memset(buffer, MOVED, LONG);
    OK(tutti_put(window, buffer, LONG, size - 1, 0, &request));
    revoke_and_wait(comm, &request);
    memset(buffer, AFTER, LONG);
}

/* Also where the target frees the window at once, and others wait for a rank away outside of all calls. */
static void revoke_while(void (*moves)(tutti_comm *comm, tutti_window *window))
{
    tutti_comm *comm;
    tutti_window *window;
    OK(tutti_comm_dup(world, &comm));
    memset(part, BEFORE, LONG);
    OK(tutti_window_create(comm, part, LONG, &window));
    OK(tutti_barrier(world));
    moves(comm, window);
    OK(tutti_barrier(world));
    OK(tutti_comm_revoke(comm));
    EXPECT(tutti_window_free(&window) == TUTTI_ERR_REVOKED);
    OK(tutti_barrier(world));
    if (rank == 0) check_all(buffer, AFTER);
    for (size_t i = 0; i < LONG; i++)
        EXPECT(part[i] == BEFORE || part[i] == MOVED);
    OK(tutti_comm_free(&comm));
}

/* The target frees the window meanwhile, which asks the others whether they are done with its part. */
static void revoke_while_unmapped(void)
{
    tutti_comm *comm;
    tutti_window *window;
    tutti_request *request;
    char here[8];
    void *hole = job_map(HOLE);
    OK(tutti_comm_dup(world, &comm));
    OK(tutti_window_create(comm, hole, HOLE, &window));
    if (rank == size - 1) OK(munmap(hole, HOLE));
    OK(tutti_barrier(world));
    if (rank == 0) {
        OK(tutti_get(window, here, sizeof here, size - 1, 16, &request));
        OK(tutti_comm_revoke(comm));
        EXPECT(tutti_wait(&request, NULL) == TUTTI_ERR_REVOKED);
    }
    EXPECT(tutti_window_free(&window) == TUTTI_ERR_REVOKED);
    OK(tutti_barrier(world));
    if (rank != size - 1) OK(munmap(hole, HOLE));
    OK(tutti_comm_free(&comm));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    revoke_while(get_from_one_away);
    revoke_while(put_to_one_away);
    /* Where memory is shared a read of what is not there is a SIGSEGV, as within a program. */
    if (job_is_by_fabric()) revoke_while_unmapped();
    return job_close();
}

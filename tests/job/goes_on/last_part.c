/* SPDX-License-Identifier: BSD-3-Clause */
/* After a death ranks do their part of a collective and leave, while others are in it, or have yet to begin
 * it: these go on as long as they wait for ranks that are there. What needs one that has left ends
 * everywhere. */
#include <stdbool.h>
#include <unistd.h>

#include "tests/job/lose.h"

enum { TAG = 7, LEAVER = 1, SLOW = 2 }; /* the last in the smaller communicator */

static tutti_comm *rest; /* of those that live, in their old order */

static bool has_left(int peer)
{
    const int code = tutti_recv(rest, NULL, 0, peer, TAG, NULL);
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    return code != 0;
}

/* The root of a small broadcast waits for nobody. All others but one begin when it is gone. */
static void broadcast_and_leave(void)
{
    int32_t value = rank == LEAVER ? 4711 : 0;
    OK(tutti_bcast(rest, &(int32_t){0}, sizeof value, LEAVER)); /* in their first one ranks get acquainted */
    for (int r = 1; rank == LEAVER && r < tutti_comm_size(rest); r++)
        if (r != LEAVER) OK(tutti_send(rest, NULL, 0, r, TAG));
    while (rank != LEAVER && rank != 0 && !has_left(LEAVER))
        continue;
    OK(tutti_bcast(rest, &value, sizeof value, LEAVER));
    EXPECT(value == 4711);
}

/* All that are there are through. */
static void meet_others(void)
{
    for (int r = 1; rank == 0 && r < tutti_comm_size(rest); r++)
        if (r != LEAVER) OK(tutti_recv(rest, NULL, 0, r, TAG, NULL));
    for (int r = 1; rank == 0 && r < tutti_comm_size(rest); r++)
        if (r != LEAVER) OK(tutti_send(rest, NULL, 0, r, TAG));
    if (rank != 0) OK(tutti_send(rest, NULL, 0, 0, TAG));
    if (rank != 0) OK(tutti_recv(rest, NULL, 0, 0, TAG, NULL));
}

/* It takes no part in these; the root of a broadcast waits for nobody's word until it runs out of room. */
static void miss_it(void)
{
    int code = 0;
    int32_t value = 0;
    while (code == 0)
        code = tutti_bcast(rest, &value, sizeof value, 0);
    EXPECT(code == TUTTI_ERR_PEER_FAILED);
    EXPECT(tutti_barrier(rest) == TUTTI_ERR_PEER_FAILED);
}

static void pause_within(int number)
{
    const struct timespec while_others_leave = {.tv_nsec = 300000000};
    (void)number;
    nanosleep(&while_others_leave, NULL);
}

/* In a tree some are out of the barrier, and gone, while others wait for the word of one that stands still.
 */
static void meet_last(tutti_comm *comm)
{
    const int own = tutti_comm_rank(comm);
    OK(tutti_barrier(comm));
    if (own == SLOW) {
        signal(SIGALRM, pause_within);
        ualarm(5000, 0);
    }
    if (own == 0) usleep(15000);
    OK(tutti_barrier(comm));
}

int main(void)
{
    tutti_comm *fewer;
    job_open(TUTTI_THREAD_SINGLE);
    lose(world, size - 1);
    OK(tutti_comm_shrink(world, &rest));
    broadcast_and_leave();
    if (rank == LEAVER) return job_close();
    meet_others();
    miss_it();
    OK(tutti_comm_shrink(rest, &fewer));
    meet_last(fewer);
    return job_close();
}

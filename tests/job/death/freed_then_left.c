/* SPDX-License-Identifier: BSD-3-Clause */
/* After a death a rank does its part of a gather, frees a communicator and leaves. The rank that then decides
 * that all have freed it knows that the other has left; the root, which waits for a late rank's part of the
 * gather and hears of the decision meanwhile, has all parts nevertheless. */
#include <unistd.h>

#include "tests/job/lose.h"

enum { DECIDER, ROOT, LEAVER, LATE, VICTIM, RANKS };
enum { TAG_GO = 1, TAG_DONE };

static void tell(tutti_comm *comm, int other, int tag)
{
    OK(tutti_send(comm, NULL, 0, other, tag));
}

static void await(tutti_comm *comm, int other, int tag)
{
    OK(tutti_recv(comm, NULL, 0, other, tag, NULL));
}

/* No barrier, as in lose(): over a fabric a rank that leaves tells those that it has talked to, and here some
 * are to hear of it from the decision alone. */
static void lose_victim(void)
{
    lose_untold(world, VICTIM);
    EXPECT(tutti_recv(world, NULL, 0, VICTIM, 0, NULL) == TUTTI_ERR_PEER_FAILED);
}

static void await_leaving(tutti_comm *comm)
{
    int failed = 0;
    while (failed == 0)
        OK(tutti_comm_failed(comm, NULL, 0, &failed));
}

/* When the leaver goes all but the late rank have begun their parts. What that knows when it begins must not
 * depend on time: it makes no call meanwhile. */
static void gather(tutti_comm *comm)
{
    const int32_t part = 100 + rank;
    int32_t all[VICTIM] = {0};
    tutti_request *request;
    if (rank == LATE) {
        tell(comm, LEAVER, TAG_GO);
        usleep(200000);
    }
    OK(tutti_igather(comm, &part, all, sizeof part, ROOT, &request));
    if (rank == ROOT || rank == DECIDER) tell(comm, LEAVER, TAG_GO);
    OK(tutti_wait(&request, NULL));
    for (int r = 0; r < VICTIM && rank == ROOT; r++)
        EXPECT(all[r] == 100 + r);
    if (rank == ROOT) printf("all parts have come\n");
}

static void take_part(tutti_comm *comm, tutti_comm *old)
{
    if (rank != DECIDER) OK(tutti_comm_free(&old));
    gather(comm);
    if (rank == ROOT) tell(comm, DECIDER, TAG_DONE);
    for (int r = DECIDER; r <= LATE && rank == LEAVER; r++)
        if (r != LEAVER) await(comm, r, TAG_GO);
    if (rank != DECIDER) return;
    await_leaving(comm);
    OK(tutti_comm_free(&old));
    await(comm, ROOT, TAG_DONE);
}

int main(void)
{
    tutti_comm *old, *comm;
    uint64_t flags = 1;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(RANKS);
    OK(tutti_comm_dup(world, &old));
    OK(tutti_comm_agree(old, &flags)); /* so that it is kept until all have freed it */
    lose_victim();
    OK(tutti_comm_shrink(world, &comm));
    take_part(comm, old);
    tutti_finalize(); /* with a dead peer it may complain, not hang */
    return 0;
}

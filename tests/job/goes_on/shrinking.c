/* SPDX-License-Identifier: BSD-3-Clause */
/* shrinking SEED: some ranks, rank 0 as likely as others, are killed at moments of their own, while all
 * reduce, agree on whether that went well, and, if it did not, revoke the communicator and go on with those
 * that are left. */
#include "tests/job/victims.h"

#define CALM_ROUNDS 30

enum { WELL = 1, ALL_GONE = 2 };

static tutti_comm *comm;

static int reduces(int round)
{
    int64_t sum = 1;
    tutti_request *request;
    int code = round % 2 == 0
                   ? tutti_allreduce(comm, TUTTI_IN_PLACE, &sum, 1, TUTTI_INT64, TUTTI_SUM)
                   : tutti_iallreduce(comm, TUTTI_IN_PLACE, &sum, 1, TUTTI_INT64, TUTTI_SUM, &request);
    if (code == 0 && round % 2 != 0) code = tutti_wait(&request, NULL);
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED || code == TUTTI_ERR_REVOKED);
    EXPECT(code != 0 || sum == tutti_comm_size(comm));
    if (code == TUTTI_ERR_PEER_FAILED) OK(tutti_comm_revoke(comm));
    return code == 0;
}

/* The members keep their order. */
static void check_members(tutti_comm *next)
{
    int64_t before = -1;
    const int mine = tutti_comm_rank(next);
    EXPECT(tutti_comm_size(next) <= tutti_comm_size(comm) && mine <= tutti_comm_rank(comm));
    if (mine > 0 && tutti_recv(next, &before, sizeof before, mine - 1, 0, NULL) == 0) EXPECT(before < rank);
    before = rank;
    if (mine + 1 < tutti_comm_size(next) && tutti_send(next, &before, sizeof before, mine + 1, 0) == 0)
        return;
}

static void shrink(int round)
{
    tutti_comm *next;
    tutti_request *request;
    if (round % 3 == 0) {
        OK(tutti_comm_ishrink(comm, &next, &request));
        OK(tutti_wait(&request, NULL));
    } else {
        OK(tutti_comm_shrink(comm, &next));
    }
    check_members(next);
    if (comm != world) OK(tutti_comm_free(&comm));
    comm = next;
}

int main(int argc, char **argv)
{
    const int victims = victims_open(argc, argv);
    comm = world;
    for (int round = 0, calm = 0; calm < CALM_ROUNDS; round++) {
        uint64_t flags = reduces(round) ? WELL : 0;
        if (tutti_comm_size(comm) == size - victims) flags |= ALL_GONE;
        const int code = tutti_comm_agree(comm, &flags);
        EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
        if (code != 0 || (flags & WELL) == 0) shrink(round);
        calm += (flags & ALL_GONE) != 0;
    }
    printf("rank %d is fine: %d died\n", rank, victims);
    return job_close();
}

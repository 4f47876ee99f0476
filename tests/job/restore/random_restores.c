/* SPDX-License-Identifier: BSD-3-Clause */
/* random_restores SEED: ranks keep version after version; some are killed at random moments by a timer,
 * newcomers too, one or several, also while the others agree, restore, recall or keep. After each death the
 * survivors restore their communicator, as long as there are processes for it, else shrink it, and recall:
 * all have the same version, the last that was kept or the one under way, and each rank of a restored
 * communicator its own piece; each piece is at one rank, or, where some are lost, at one at most. */
#include "tests/job/keep/state.h"

#define VERSIONS 150
#define MOST 8 /* ranks */

/* Each piece is at one rank, as all see together; false if another one dies meanwhile. */
static bool check_places(tutti_comm *comm, const tutti_kept *pieces, int count, int code)
{
    const int of = count > 0 ? pieces[0].of : 0;
    int64_t here[MOST] = {0}, places[MOST];
    int most;
    for (int i = 0; i < count; i++)
        here[pieces[i].rank]++;
    if (tutti_allreduce(comm, here, places, MOST, TUTTI_INT64, TUTTI_SUM) != 0) return false;
    if (tutti_allreduce(comm, &of, &most, 1, TUTTI_INT32, TUTTI_MAX) != 0) return false;
    for (int r = 0; r < MOST; r++)
        EXPECT(code == 0 ? places[r] == (r < most) : places[r] <= 1);
    return true;
}

/* What all have, seen together; false if another one dies meanwhile. */
static bool recall(tutti_comm *comm, int64_t *version)
{
    tutti_kept pieces[2];
    int count = 0;
    const int code = tutti_recall(comm, "state", pieces, 2, &count);
    if (code == TUTTI_ERR_PEER_FAILED) return false;
    EXPECT(code == 0 || code == TUTTI_ERR_LOST || code == TUTTI_ERR_STATE);
    if (code == TUTTI_ERR_STATE) count = 0;
    int64_t mine[2] = {0, INT64_MIN}, both[2]; /* the version, and its negative */
    for (int i = 0; i < count; i++) {
        const int64_t found = check_piece(&pieces[i]);
        EXPECT(i == 0 || found == mine[0]);
        mine[0] = found;
        mine[1] = -found;
    }
    if (code == 0 && count > 0 && pieces[0].of == tutti_comm_size(comm))
        EXPECT(count == 1 && pieces[0].rank == tutti_comm_rank(comm));
    if (tutti_allreduce(comm, mine, both, 2, TUTTI_INT64, TUTTI_MAX) != 0) return false;
    *version = both[0];
    EXPECT(count == 0 || mine[0] == both[0]);
    EXPECT(both[1] == INT64_MIN || both[0] == -both[1]);
    return check_places(comm, pieces, count, code);
}

static tutti_comm *regroup(tutti_comm *comm)
{
    tutti_comm *next;
    int code = tutti_comm_restore(comm, &next);
    /* Over a network a connection may break, and one of two that live is held for dead: it is to end. */
    if (code == TUTTI_ERR_PEER_FAILED) fprintf(stderr, "rank %d is held for dead\n", rank);
    if (code == TUTTI_ERR_PEER_FAILED) raise(SIGKILL);
    if (code == 0)
        EXPECT(tutti_comm_size(next) == tutti_comm_size(comm) &&
               tutti_comm_rank(next) == tutti_comm_rank(comm));
    EXPECT(code == 0 || code == TUTTI_ERR_LIMIT);
    if (code == TUTTI_ERR_LIMIT) OK(tutti_comm_shrink(comm, &next));
    if (comm != world) OK(tutti_comm_free(&comm));
    return next;
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    job_open(TUTTI_THREAD_SINGLE);
    tutti_comm *comm = world;
    int64_t version = 0;
    bool good = true;
    chance = strtoull(argv[1], NULL, 10) * 1000003u + (uint64_t)rank + (tutti_is_newcomer() ? 1000 : 0);
    if (!tutti_is_newcomer()) {
        const int met =
            tutti_barrier(world); /* all have come, or those are dying that were first to know it */
        EXPECT(met == 0 || met == TUTTI_ERR_PEER_FAILED);
        if (rank != size / 2) choose_end(2, 120000);
    } else {
        choose_end(2, 40000);
        good = all_agree(comm, recall(comm, &version));
    }
    while (version < VERSIONS || !good) {
        while (!good) {
            comm = regroup(comm);
            good = all_agree(comm, recall(comm, &version));
        }
        fill(tutti_comm_rank(comm), version + 1);
        const int code = tutti_keep(comm, "state", state, STATE_BYTES);
        EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
        good = code == 0;
        version += good;
    }
    printf("rank %d of %d kept all\n", tutti_comm_rank(comm), tutti_comm_size(comm));
    return job_close();
}

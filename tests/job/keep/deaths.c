/* SPDX-License-Identifier: BSD-3-Clause */
/* job_keep_deaths SEED: ranks keep version after version; some are killed at random moments by a timer, one
 * or several, some while the survivors recall. After each death the survivors recall: all the same version,
 * the last that was kept or the one under way; each piece at one rank, but for those that are told to be
 * lost, which are of dead ranks. They go on with that until three quarters of the ranks have died or enough
 * is kept. */
#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/job/job.h"

#define BYTES 200000
#define VERSIONS 120
#define RANKS 64

static uint64_t chance;
static unsigned char buffer[BYTES];

static unsigned draw(unsigned below)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance >> 33) % below;
}

/* SIGALRM ends a process that does not expect it, wherever that is. */
static void choose_end(void)
{
    const struct itimerval timer = {.it_value = {.tv_usec = 1000 + (int)draw(150000)}};
    const bool dies = draw(4) < 2 && rank != size / 2;
    if (dies) OK(setitimer(ITIMER_REAL, &timer, NULL));
}

static void fill(int of, int64_t version)
{
    memcpy(buffer, &version, sizeof version);
    for (size_t i = sizeof version; i < BYTES; i++)
        buffer[i] = (unsigned char)(i * 7 + (size_t)of * 31 + (size_t)version * 13);
}

static int64_t check_piece(const tutti_kept *piece)
{
    int64_t version;
    EXPECT(piece->bytes == BYTES);
    memcpy(&version, piece->data, sizeof version);
    fill(piece->rank, version);
    EXPECT(memcmp(buffer, piece->data, BYTES) == 0);
    return version;
}

/* What the survivors have, seen together; false if another one dies meanwhile. `least`: it was kept. */
static bool recall(tutti_comm *comm, int64_t least, int64_t *version)
{
    tutti_kept pieces[2];
    int count = 0;
    const int code = tutti_recall(comm, "state", pieces, 2, &count);
    if (code == TUTTI_ERR_PEER_FAILED) return false;
    EXPECT(code == 0 || code == TUTTI_ERR_LOST || (code == TUTTI_ERR_STATE && least == 0));
    if (code == TUTTI_ERR_STATE) return *version = 0, true;
    EXPECT(count == 1 || count == 2);
    int32_t holds[RANKS] = {0}, all[RANKS];
    int64_t mine[2], both[2];
    *version = check_piece(&pieces[0]);
    for (int i = 0; i < count; i++) {
        EXPECT(check_piece(&pieces[i]) == *version);
        holds[pieces[i].rank] = 1;
    }
    mine[0] = *version;
    mine[1] = -*version;
    if (tutti_allreduce(comm, mine, both, 2, TUTTI_INT64, TUTTI_MIN) != 0) return false;
    EXPECT(both[0] == -both[1] && *version >= least && *version <= least + 1);
    if (tutti_allreduce(comm, holds, all, RANKS, TUTTI_INT32, TUTTI_SUM) != 0) return false;
    int here = 0;
    for (int r = 0; r < pieces[0].of; r++) {
        EXPECT(all[r] <= 1);
        here += all[r];
    }
    EXPECT((here == pieces[0].of) == (code == 0));
    return true;
}

static tutti_comm *shrink(tutti_comm *comm)
{
    tutti_comm *left;
    OK(tutti_comm_shrink(comm, &left));
    if (comm != world) OK(tutti_comm_free(&comm));
    return left;
}

/* Some may have met a death, and others not. */
static bool all_agree(tutti_comm *comm, bool good)
{
    uint64_t flags = good;
    const int code = tutti_comm_agree(comm, &flags);
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    return code == 0 && flags != 0;
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    chance = strtoull(argv[1], NULL, 10) * 1000003u + (uint64_t)rank;
    for (int i = 0; i < 20; i++)
        draw(2);
    const int met = tutti_barrier(world); /* all have come, or those are dying that were first to know it */
    EXPECT(met == 0 || met == TUTTI_ERR_PEER_FAILED);
    choose_end();
    tutti_comm *comm = world;
    int64_t version = 0;
    while (version < VERSIONS) {
        fill(tutti_comm_rank(comm), version + 1);
        const int code = tutti_keep(comm, "state", buffer, BYTES);
        EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
        version += code == 0;
        if (code == 0) continue;
        const int64_t least = version;
        do
            comm = shrink(comm);
        while (!all_agree(comm, recall(comm, least, &version)));
    }
    printf("rank %d of %d kept all\n", tutti_comm_rank(comm), tutti_comm_size(comm));
    return job_close();
}

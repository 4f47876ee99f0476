/* SPDX-License-Identifier: BSD-3-Clause */
/* job_keep_deaths SEED: ranks keep version after version, in turns by a blocking call and, of two names at
 * once, by nonblocking ones; some are killed at random moments by a timer, one or several, some while the
 * survivors recall. After each death the survivors recall: all the same version of a name, the last that was
 * kept or the one under way; each piece at one rank, but for those that are told to be lost, which are of
 * dead ranks. They go on with that until three quarters of the ranks have died or enough is kept. */
#include "tests/job/keep/state.h"

#define VERSIONS 120
#define RANKS 64
#define NAMES 2

static const char *const names[NAMES] = {"state", "what is kept beside it"};

/* What a rank holds of a name. */
typedef struct {
    tutti_kept pieces[2];
    int count, code;
} holding;

/* Checks with the others what they hold; false if another one dies meanwhile. `version`: the last that was
 * kept. */
static bool compare(tutti_comm *comm, const holding *h, int64_t *version)
{
    const int64_t least = *version;
    if (h->code == TUTTI_ERR_PEER_FAILED) return false;
    EXPECT(h->code == 0 || h->code == TUTTI_ERR_LOST || (h->code == TUTTI_ERR_STATE && least == 0));
    if (h->code == TUTTI_ERR_STATE) return *version = 0, true;
    EXPECT(h->count == 1 || h->count == 2);
    int32_t holds[RANKS] = {0}, all[RANKS];
    int64_t mine[2], both[2];
    const int64_t found = check_piece(&h->pieces[0]);
    for (int i = 0; i < h->count; i++) {
        EXPECT(check_piece(&h->pieces[i]) == found);
        holds[h->pieces[i].rank] = 1;
    }
    mine[0] = found;
    mine[1] = -found;
    if (tutti_allreduce(comm, mine, both, 2, TUTTI_INT64, TUTTI_MIN) != 0) return false;
    EXPECT(both[0] == -both[1] && found >= least && found <= least + 1);
    if (tutti_allreduce(comm, holds, all, RANKS, TUTTI_INT32, TUTTI_SUM) != 0) return false;
    int here = 0;
    for (int r = 0; r < h->pieces[0].of; r++) {
        EXPECT(all[r] <= 1);
        here += all[r];
    }
    EXPECT((here == h->pieces[0].of) == (h->code == 0));
    *version = found;
    return true;
}

/* All are recalled before a collective may fail at some ranks alone. */
static bool recall_all(tutti_comm *comm, const int64_t least[], int64_t versions[])
{
    holding holdings[NAMES];
    bool good = true;
    for (int i = 0; i < NAMES; i++)
        holdings[i].code = tutti_recall(comm, names[i], holdings[i].pieces, 2, &holdings[i].count);
    for (int i = 0; i < NAMES && good; i++) {
        versions[i] = least[i];
        good = compare(comm, &holdings[i], &versions[i]);
    }
    return good;
}

static tutti_comm *shrink(tutti_comm *comm)
{
    tutti_comm *left;
    OK(tutti_comm_shrink(comm, &left));
    if (comm != world) OK(tutti_comm_free(&comm));
    return left;
}

static bool took(int code, int64_t *version)
{
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    *version += code == 0;
    return code == 0;
}

static bool keep(tutti_comm *comm, int64_t versions[])
{
    fill(tutti_comm_rank(comm), versions[0] + 1);
    return took(tutti_keep(comm, names[0], state, STATE_BYTES), &versions[0]);
}

/* With a collective meanwhile, which may fail, and the requests ended in either order. */
static bool keep_both(tutti_comm *comm, int64_t versions[])
{
    static unsigned char buffers[NAMES][STATE_BYTES];
    tutti_request *requests[NAMES];
    int32_t sum;
    bool good = true;
    for (int i = 0; i < NAMES; i++) {
        fill(tutti_comm_rank(comm), versions[i] + 1);
        memcpy(buffers[i], state, STATE_BYTES);
        OK(tutti_ikeep(comm, names[i], buffers[i], STATE_BYTES, &requests[i]));
    }
    const int code = tutti_allreduce(comm, &(int32_t){1}, &sum, 1, TUTTI_INT32, TUTTI_SUM);
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    const int first = (int)draw(NAMES);
    for (int i = 0; i < NAMES; i++) {
        const int name = (first + i) % NAMES;
        good = took(tutti_wait(&requests[name], NULL), &versions[name]) && good;
    }
    return good;
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    chance = strtoull(argv[1], NULL, 10) * 1000003u + (uint64_t)rank;
    const int met = tutti_barrier(world); /* all have come, or those are dying that were first to know it */
    EXPECT(met == 0 || met == TUTTI_ERR_PEER_FAILED);
    if (rank != size / 2) choose_end(2, 150000);
    tutti_comm *comm = world;
    int64_t versions[NAMES] = {0}, least[NAMES];
    while (versions[0] < VERSIONS) {
        if (versions[0] % 2 == 0 ? keep(comm, versions) : keep_both(comm, versions)) continue;
        memcpy(least, versions, sizeof least);
        do
            comm = shrink(comm);
        while (!all_agree(comm, recall_all(comm, least, versions)));
    }
    printf("rank %d of %d kept all\n", tutti_comm_rank(comm), tutti_comm_size(comm));
    return job_close();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeping that is begun and waited for: versions of several names under way at once, among messages,
 * collectives and agreements of the program's, ended in another order at each rank; nothing counts before its
 * request has ended, and what has is recalled. */
#include "tests/job/job.h"

#define NAMES 5
#define LARGE 3000000
#define ROUNDS 12

static const char *const names[NAMES] = {"density", "momentum", "walls", "empty",
                                         "a long name that is also kept"};
static unsigned char *buffers[NAMES], *expected;
static uint64_t chance = 1;

static size_t bytes_of(int of, int name, int version)
{
    const size_t sizes[] = {LARGE, 1000, 700000, 17, LARGE / 2};
    return name == 3 ? 0 : sizes[(of + name + version) % 5];
}

static void fill(unsigned char *to, int of, int name, int version)
{
    for (size_t i = 0; i < bytes_of(of, name, version); i++)
        to[i] = (unsigned char)(i * 7 + (size_t)(of * 31 + name * 3 + version * 13));
}

static void expect_kept(int name, int version)
{
    tutti_kept piece = {.rank = -1};
    int count = -1;
    OK(tutti_recall(world, names[name], &piece, 1, &count));
    EXPECT(count == 1 && piece.rank == rank && piece.of == size);
    EXPECT(piece.bytes == bytes_of(rank, name, version));
    fill(expected, rank, name, version);
    EXPECT(piece.bytes == 0 || memcmp(piece.data, expected, piece.bytes) == 0);
}

/* What a program does meanwhile: every kind of thing that goes by messages, and an agreement of its own. */
static void do_other_things(int round)
{
    double mine = rank, sum = 0;
    uint64_t flags = UINT64_MAX << rank;
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    int token = round, got = -1;
    tutti_request *agreement, *sent;
    OK(tutti_comm_iagree(world, &flags, &agreement));
    OK(tutti_isend(world, &token, sizeof token, next, 7, &sent));
    OK(tutti_allreduce(world, &mine, &sum, 1, TUTTI_DOUBLE, TUTTI_SUM));
    EXPECT(sum == size * (size - 1) / 2.0);
    OK(tutti_recv(world, &got, sizeof got, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, NULL));
    EXPECT(got == round && before >= 0);
    OK(tutti_wait(&sent, NULL));
    OK(tutti_wait(&agreement, NULL));
    EXPECT(flags == UINT64_MAX << (size - 1));
}

static void begin(int name, int version, tutti_request **request)
{
    fill(buffers[name], rank, name, version);
    OK(tutti_ikeep(world, names[name], buffers[name], bytes_of(rank, name, version), request));
}

/* Waits or tests, each rank in an order of its own; a buffer is the program's again then. */
static void end_all(tutti_request *requests[])
{
    int left = NAMES;
    while (left > 0) {
        int done = 0;
        const int name = (int)(job_random(&chance) % NAMES);
        if (requests[name] == NULL) continue;
        if (job_random(&chance) % 2)
            OK(tutti_wait(&requests[name], NULL));
        else
            OK(tutti_test(&requests[name], &done, NULL));
        if (requests[name] != NULL) continue;
        memset(buffers[name], 0xee, LARGE);
        left--;
    }
}

/* Of a name of which a version is under way nothing else is kept or forgotten. */
static void refuse_a_second(void)
{
    tutti_request *first, *second = NULL;
    begin(0, ROUNDS, &first);
    int code = tutti_ikeep(world, names[0], buffers[0], 1, &second);
    EXPECT(code == TUTTI_ERR_STATE && second == NULL);
    EXPECT(tutti_keep(world, names[0], buffers[0], 1) == TUTTI_ERR_STATE);
    EXPECT(tutti_forget(names[0]) == TUTTI_ERR_STATE);
    EXPECT(tutti_cancel(first) == TUTTI_ERR_UNSUPPORTED);
    OK(tutti_wait(&first, NULL));
    expect_kept(0, ROUNDS);
}

/* Given up, it goes on by itself, and recalling waits for it. */
static void give_up_a_request(void)
{
    tutti_request *request;
    begin(1, ROUNDS + 1, &request);
    OK(tutti_request_free(&request));
    expect_kept(1, ROUNDS + 1);
}

int main(void)
{
    tutti_request *requests[NAMES], *none = NULL;
    job_open(TUTTI_THREAD_SINGLE);
    chance = (uint64_t)rank;
    expected = malloc(LARGE);
    EXPECT(expected != NULL);
    for (int name = 0; name < NAMES; name++)
        EXPECT((buffers[name] = malloc(LARGE)) != NULL);
    for (int round = 0; round < ROUNDS; round++) {
        for (int name = 0; name < NAMES; name++)
            begin(name, round, &requests[name]);
        do_other_things(round);
        end_all(requests);
        for (int name = 0; name < NAMES; name++)
            expect_kept(name, round);
    }
    refuse_a_second();
    give_up_a_request();
    EXPECT(tutti_ikeep(world, "", buffers[0], 1, &none) == TUTTI_ERR_ARG && none == NULL);
    EXPECT(tutti_ikeep(world, "state", buffers[0], 1, NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_ikeep(world, "state", NULL, 1, &none) == TUTTI_ERR_ARG && none == NULL);
    if (size > 1) EXPECT(tutti_keep(world, rank == 0 ? "mine" : "theirs", buffers[0], 1) == TUTTI_ERR_ARG);
    for (int name = 0; name < NAMES; name++)
        free(buffers[name]);
    free(expected);
    return job_close();
}

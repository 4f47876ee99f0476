/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeping and recalling where nobody dies: each version takes the place of the one before, sizes change and
 * differ by rank, names do not know of each other, and what was forgotten, or kept by not all, is not
 * recalled. */
#include "tests/job/job.h"

#define LARGE 3000000

static unsigned char *buffer;

/* What a rank keeps as version v. */
static size_t bytes_of(int of, int version)
{
    const size_t sizes[] = {1000, 0, 17, LARGE, 100000, LARGE};
    return sizes[(of + version) % 6];
}

static void fill(int of, int version)
{
    for (size_t i = 0; i < bytes_of(of, version); i++)
        buffer[i] = (unsigned char)(i * 7 + (size_t)of * 31 + (size_t)version * 13);
}

static void expect_kept(const char *name, int version)
{
    tutti_kept pieces[2] = {{.rank = -1}, {.rank = -1}};
    int count = -1;
    OK(tutti_recall(world, name, pieces, 2, &count));
    EXPECT(count == 1 && pieces[0].rank == rank && pieces[0].of == size && pieces[1].rank == -1);
    EXPECT(pieces[0].bytes == bytes_of(rank, version));
    fill(rank, version);
    if (pieces[0].bytes > 0) EXPECT(memcmp(pieces[0].data, buffer, pieces[0].bytes) == 0);
    OK(tutti_recall(world, name, NULL, 0, &count));
    EXPECT(count == 1);
}

static void keep(const char *name, int version)
{
    fill(rank, version);
    OK(tutti_keep(world, name, buffer, bytes_of(rank, version)));
    memset(buffer, 0xee, LARGE); /* it is the caller's again */
}

int main(void)
{
    int count;
    job_open(TUTTI_THREAD_SINGLE);
    buffer = malloc(LARGE);
    EXPECT(buffer != NULL);
    EXPECT(tutti_recall(world, "state", NULL, 0, &count) == TUTTI_ERR_STATE);
    for (int version = 0; version < 12; version++) {
        keep("state", version);
        if (version % 3 == 0) keep("other", version + 100);
        expect_kept("state", version);
        expect_kept("other", version - version % 3 + 100);
    }
    OK(tutti_forget("other"));
    EXPECT(tutti_recall(world, "other", NULL, 0, &count) == TUTTI_ERR_STATE);
    expect_kept("state", 11);
    if (rank == 0) OK(tutti_forget("state"));
    EXPECT(tutti_recall(world, "state", NULL, 0, &count) == TUTTI_ERR_STATE);
    EXPECT(tutti_keep(world, "", buffer, 1) == TUTTI_ERR_ARG);
    EXPECT(tutti_keep(world, NULL, buffer, 1) == TUTTI_ERR_ARG);
    EXPECT(tutti_keep(world, "state", NULL, 1) == TUTTI_ERR_ARG);
    EXPECT(tutti_keep(world, "state", buffer, SIZE_MAX) == TUTTI_ERR_ARG);
    EXPECT(tutti_recall(world, "state", NULL, 1, &count) == TUTTI_ERR_ARG);
    free(buffer);
    return job_close();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that may open no more files can map no copies: all are told what is short, and hold the version
 * before; with more files they keep on. */
#include "tests/job/limit_files.h"

#define BYTES 100000

static unsigned char state[BYTES];

static void expect_version(int version)
{
    tutti_kept piece;
    int count;
    OK(tutti_recall(world, "state", &piece, 1, &count));
    EXPECT(count == 1 && piece.bytes == BYTES);
    for (size_t i = 0; i < BYTES; i++)
        EXPECT(((const unsigned char *)piece.data)[i] == version);
}

static int keep(int version)
{
    memset(state, version, BYTES);
    return tutti_keep(world, "state", state, BYTES);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    OK(keep(1));
    if (rank == 1) limit_files(true);
    EXPECT(keep(2) == TUTTI_ERR_NO_MEMORY && strstr(tutti_error_detail(), "ulimit -n") != NULL);
    if (rank == 1) limit_files(false);
    expect_version(1);
    OK(keep(2));
    expect_version(2);
    return job_close();
}

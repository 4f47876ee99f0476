/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that may open no more files can map no copies: all are told what is short, and hold the version
 * before; with more files they keep on. */
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/job/job.h"

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

/* Up to the lowest one that is free, or as it was. */
static void limit_files(bool limited)
{
    static struct rlimit before;
    if (before.rlim_max == 0) OK(getrlimit(RLIMIT_NOFILE, &before));
    struct rlimit now = before;
    const int next = dup(STDERR_FILENO);
    EXPECT(!limited || next >= 0);
    if (next >= 0) close(next);
    if (limited) now.rlim_cur = (rlim_t)next;
    OK(setrlimit(RLIMIT_NOFILE, &now));
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

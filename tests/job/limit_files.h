/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests of what a rank does that may open no more files. */
#ifndef TESTS_JOB_LIMIT_FILES_H
#define TESTS_JOB_LIMIT_FILES_H

#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/job/job.h"

/* Up to the lowest one that is free, or as it was. */
static inline void limit_files(bool limited)
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

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_STREAMS_MEMORY_H
#define TESTS_STREAMS_MEMORY_H

#include <stdio.h>
#include <unistd.h>

#include "tests/unit/expect.h"

/* Bytes of memory that this process occupies now. */
static inline long memory_resident(void)
{
    long size, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%ld %ld", &size, &resident) == 2);
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A file for which a rank waits before it joins its job: named after the job, so that others do not meet it.
 */
#ifndef TESTS_JOB_START_FILE_H
#define TESTS_JOB_START_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char start_file[300];

static inline void start_file_find(const char *name)
{
    const char *folder = getenv("TMPDIR"), *job = getenv("PMIX_NAMESPACE");
    snprintf(start_file, sizeof start_file, "%s/%s-%s", folder != NULL ? folder : "/tmp", name,
             job != NULL ? job : "alone");
    for (char *at = strrchr(start_file, '-'); *at != '\0'; at++)
        if (*at == '/') *at = '_';
}

static inline void start_file_await(void)
{
    while (access(start_file, F_OK) != 0)
        usleep(1000);
    unlink(start_file);
}

#endif

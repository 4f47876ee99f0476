/* SPDX-License-Identifier: BSD-3-Clause */
/* How many descriptors this process has open: what a test leaves behind shows there. */
#ifndef TESTS_DESCRIPTORS_H
#define TESTS_DESCRIPTORS_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static inline int count_descriptors(void)
{
    int count = -1; /* that of the folder itself */
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) {
        perror("/proc/self/fd");
        exit(1);
    }
    for (const struct dirent *one; (one = readdir(folder)) != NULL;)
        count += one->d_name[0] != '.';
    closedir(folder);
    return count;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/descriptor_room.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define TRIED_MOST 16

bool tti_descriptors_short(int error)
{
    return error == EMFILE || error == ENFILE;
}

const char *tti_descriptors_remedy(int error)
{
    if (error == EMFILE) return "; raise the limit of this process (ulimit -n)";
    return error == ENFILE ? "; this machine's limit is fs.file-max (sysctl)" : "";
}

bool tti_descriptors_left(int count)
{
    int opened[TRIED_MOST], have = 0;
    const int wanted = count < TRIED_MOST ? count : TRIED_MOST;
    while (have < wanted && (opened[have] = open("/", O_PATH | O_CLOEXEC)) >= 0)
        have++;
    for (int i = 0; i < have; i++)
        close(opened[i]);
    return have == wanted;
}

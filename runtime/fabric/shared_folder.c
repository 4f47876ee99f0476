/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/shared_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FOLDER "/dev/shm"
/* Less room than this, in bytes, is worth a word. */
#define LITTLE (UINT64_C(64) << 20)

void tti_fabric_describe_shared(char text[TTI_FABRIC_SHARED_TEXT])
{
    struct statvfs state;
    struct rlimit limit;
    const size_t most = TTI_FABRIC_SHARED_TEXT;
    text[0] = '\0';
    if (statvfs(FOLDER, &state) != 0) {
        snprintf(text, most, "; " FOLDER ": %s: mount a tmpfs there", strerror(errno));
        return;
    }
    const uint64_t room = (uint64_t)state.f_bavail * state.f_frsize;
    if (access(FOLDER, W_OK | X_OK) != 0)
        snprintf(text, most, "; " FOLDER " cannot be written by user %ld: %s: mount it writable, mode 1777",
                 (long)geteuid(), strerror(errno));
    else if (state.f_files > 0 && state.f_favail == 0)
        snprintf(text, most, "; " FOLDER " has no room for a file more: remove some of its %" PRIu64,
                 (uint64_t)state.f_files);
    else if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < LITTLE)
        snprintf(text, most,
                 "; files in " FOLDER " may have only %" PRIu64 " bytes: raise the limit (ulimit -f)",
                 (uint64_t)limit.rlim_cur);
    else if (room < LITTLE)
        snprintf(text, most,
                 "; " FOLDER " has only %" PRIu64
                 " bytes left: remove files there or make it larger (--shm-size of a container)",
                 room);
}

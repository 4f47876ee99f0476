/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/address_space.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/base/status.h"

uint64_t tti_address_space_left(void)
{
    struct rlimit limit;
    uint64_t pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file != NULL) {
        if (fscanf(file, "%" SCNu64, &pages) != 1) pages = 0;
        fclose(file);
    }
    const uint64_t used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

int tti_fail_mapping(int error, const char *what, uint64_t need)
{
    const uint64_t left = tti_address_space_left();
    if (left == UINT64_MAX)
        return tti_fail_errno(TUTTI_ERR_NO_MEMORY, error, "mapping %" PRIu64 " bytes for %s", need, what);
    return tti_fail_errno(TUTTI_ERR_NO_MEMORY, error,
                          "%s needs %" PRIu64 " bytes, the limit of the address space leaves %" PRIu64
                          ": raise it (ulimit -v)",
                          what, need, left);
}

int tti_address_space_check(const char *what, uint64_t need)
{
    return tti_address_space_left() >= need ? 0 : tti_fail_mapping(ENOMEM, what, need);
}

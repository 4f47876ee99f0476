/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the kernel cannot give now, or one before 5.14 is not asked, comes when it is touched. */
void tti_pages_ready(const void *at, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)at / page * page;
    if (bytes > 0) madvise((void *)begin, (uintptr_t)at + bytes - begin, MADV_POPULATE_WRITE);
}

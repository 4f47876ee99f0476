/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/pages.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t page_of(uintptr_t at)
{
    return at - at % (uintptr_t)sysconf(_SC_PAGESIZE);
}

/* What the kernel cannot give now, or one before 5.14 is not asked, comes when it is touched. */
void tti_pages_ready(const void *at, size_t bytes)
{
    const uintptr_t begin = page_of((uintptr_t)at);
    if (bytes > 0) madvise((void *)begin, (uintptr_t)at + bytes - begin, MADV_POPULATE_WRITE);
}

void tti_pages_read(const void *at, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end = (uintptr_t)at + bytes;
    for (uintptr_t next = (uintptr_t)at; next < end; next = (next | (page - 1)) + 1)
        (void)*(volatile const char *)next;
}

/* MS_ASYNC writes nothing: it only looks what is mapped. */
static bool is_mapped(uintptr_t begin, uintptr_t end)
{
    return msync((void *)begin, end - begin, MS_ASYNC) == 0;
}

/* No page is smaller than this; where they are larger the kernel refuses what does not begin with one. */
#define SMALLEST ((uintptr_t)4096)

bool tti_pages_mapped(const void *at, size_t bytes)
{
    const uintptr_t begin = (uintptr_t)at, end = begin + bytes;
    if (bytes == 0) return true;
    if (bytes - 1 > UINTPTR_MAX - begin) return false;
    if (is_mapped(begin - begin % SMALLEST, end)) return true;
    if (errno == EINVAL && is_mapped(page_of(begin), end)) return true;
    return errno != ENOMEM;
}

bool tti_pages_mapped_at_ends(const void *at, size_t bytes)
{
    if (bytes == 0) return true;
    if (bytes - 1 > UINTPTR_MAX - (uintptr_t)at) return false;
    return tti_pages_mapped(at, 1) && tti_pages_mapped((const char *)at + bytes - 1, 1);
}

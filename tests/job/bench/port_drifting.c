/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks on hosts whose clocks drift apart: each has a clock of its own, and that of rank 1 goes a thousand
 * seconds forward whenever buffers of another size are made (--memory shared). Linked in between by --wrap.
 */
#include <stdio.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "bench/port.h"

/* Sanitizers have these two for all libraries: what stands in between must be one that these may see. */
#define SEEN __attribute__((visibility("default")))

int __real_clock_gettime(clockid_t clock, struct timespec *time);
SEEN int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
void *__real_port_mem_alloc(size_t bytes);
void *__wrap_port_mem_alloc(size_t bytes);
SEEN ssize_t __wrap_readlink(const char *path, char *text, size_t room);

enum { LEAP_S = 1000 };

static time_t ahead;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    const int status = __real_clock_gettime(clock, time);
    time->tv_sec += ahead;
    return status;
}

void *__wrap_port_mem_alloc(size_t bytes)
{
    if (port_rank() == 1) ahead += LEAP_S;
    return __real_port_mem_alloc(bytes);
}

/* By the name of its time namespace a rank tells whose clock it reads. */
ssize_t __wrap_readlink(const char *path, char *text, size_t room)
{
    (void)path;
    return snprintf(text, room, "time:[%d]", port_rank());
}

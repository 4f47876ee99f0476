/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes that poll tell of nothing but the scheduler where they share a core for a while. */
#include <sched.h>

#include "bench/streams/stream_bench.h"

void stream_pin(enum stream_core core)
{
    static cpu_set_t all;
    if (CPU_COUNT(&all) == 0 && sched_getaffinity(0, sizeof all, &all) != 0) return;
    if (CPU_COUNT(&all) < 2) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    int found = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &all) && ++found == (int)core) CPU_SET(cpu, &one);
    }
    sched_setaffinity(0, sizeof one, core == STREAM_CORE_ANY ? &all : &one);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of a broadcast comes late, and the watchdog of the others says whom they wait for. */
#include <unistd.h>

#include "tests/job/job.h"

#define ROOT 2

int main(void)
{
    int value = 0;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(ROOT + 1);
    OK(tutti_bcast(world, &value, sizeof value, ROOT));
    if (rank == ROOT) sleep(3); /* sleepers look up once a second */
    OK(tutti_bcast(world, &value, sizeof value, ROOT));
    return job_close();
}

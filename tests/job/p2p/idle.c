/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that waits uses no processor time: all wait half a second for rank 0, which is away. PMIx's thread
 * may have something to do. */
#include <sys/resource.h>
#include <unistd.h>

#include "tests/job/job.h"

#define AWAY_US 500000

static double processor_s(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    if (rank != 0) {
        OK(tutti_recv(world, NULL, 0, 0, 1, NULL)); /* connections are made */
        const double before = processor_s();
        OK(tutti_recv(world, NULL, 0, 0, 2, NULL));
        EXPECT(processor_s() - before < 0.05);
    } else {
        for (int r = 1; r < size; r++)
            OK(tutti_send(world, NULL, 0, r, 1));
        usleep(AWAY_US);
        for (int r = 1; r < size; r++)
            OK(tutti_send(world, NULL, 0, r, 2));
    }
    return job_close();
}

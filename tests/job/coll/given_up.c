/* SPDX-License-Identifier: BSD-3-Clause */
/* The request of a collective is given up, and its rank leaves at once: the others still need it, and it
 * stays until its part is done. */
#include <unistd.h>

#include "tests/job/job.h"

#define BYTES 200000

static char all[16 * BYTES], mine[BYTES];

static void leave_early(void)
{
    tutti_request *request;
    OK(tutti_ibarrier(world, &request));
    OK(tutti_request_free(&request));
    OK(tutti_iallgather(world, mine, all, BYTES, &request));
    OK(tutti_request_free(&request));
}

static void come_late(void)
{
    tutti_request *request;
    if (rank == size - 1) usleep(300000);
    OK(tutti_ibarrier(world, &request));
    OK(tutti_wait(&request, NULL));
    OK(tutti_iallgather(world, mine, all, BYTES, &request));
    OK(tutti_wait(&request, NULL));
    for (int r = 0; r < size; r++)
        EXPECT(all[r * BYTES] == r + 1 && all[r * BYTES + BYTES - 1] == r + 1);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size <= 16);
    for (int i = 0; i < BYTES; i++)
        mine[i] = (char)(rank + 1);
    if (rank % 2 == 0)
        leave_early();
    else
        come_late();
    return job_close();
}

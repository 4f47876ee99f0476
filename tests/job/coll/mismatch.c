/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that call with different sizes: an error at whoever receives the wrong size, nobody hangs, nothing is
 * written beyond the buffer, and the communicator stays usable. */
#include <string.h>

#include "tests/job/job.h"

static void test_bcast(size_t root_bytes, size_t bytes)
{
    static unsigned char buf[200001];
    memset(buf, rank == 0 ? 1 : 7, sizeof buf);
    const int code = tutti_bcast(world, buf, rank == 0 ? root_bytes : bytes, 0);
    EXPECT(code == 0 || (code == TUTTI_ERR_ARG && strstr(tutti_error_detail(), "different sizes") != NULL));
    EXPECT(rank == 0 || code == TUTTI_ERR_ARG || size > 2); /* of more than two some may pass on what fits */
    for (size_t i = bytes; rank != 0 && i < sizeof buf; i++)
        EXPECT(buf[i] == 7);
    OK(tutti_barrier(world));
}

static void test_usable(void)
{
    int64_t sum = 0;
    OK(tutti_allreduce(world, &(int64_t){rank}, &sum, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(sum == (int64_t)size * (size - 1) / 2);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    test_bcast(100, 50);
    test_bcast(50, 100);
    test_usable();
    if (size == 2) { /* one algorithm for both sizes, whatever it is */
        test_bcast(200000, 100000);
        test_bcast(100000, 200000);
        test_usable();
    }
    return job_close();
}

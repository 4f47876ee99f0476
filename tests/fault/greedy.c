/* SPDX-License-Identifier: BSD-3-Clause */
/* greedy BYTES: asks for that much of tutti_mem_alloc(), uses it, and goes on without where it is refused.
 * Status 3 with the reason on stdout for a refusal.
 */
#include <string.h>

#include "tests/job/job.h"

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    job_open(TUTTI_THREAD_SINGLE);
    const size_t bytes = (size_t)strtoull(argv[1], NULL, 10);
    void *base;
    const int code = tutti_mem_alloc(world, bytes, &base);
    EXPECT(code == 0 || code == TUTTI_ERR_NO_MEMORY);
    if (code == 0) {
        memset(base, 1, bytes);
        OK(tutti_mem_free(base));
    } else {
        printf("%s\n", tutti_error_detail());
    }
    OK(tutti_barrier(world));
    job_close();
    return code == 0 ? 0 : 3;
}

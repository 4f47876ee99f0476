/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti_init() fails at rank 1 when it has joined the job, since it wants another way than rank 0 does, and
 * the program ends there with status 0. Rank 0 waits for it in a barrier, until it is told. A second try is
 * refused for what it is, though it would want the right way. */
#include "tests/job/job.h"

int main(void)
{
    const char *own = getenv("PMIX_RANK");
    const int fails = own != NULL && strcmp(own, "1") == 0;
    setenv("TUTTI_TRANSPORT", fails ? "fabric" : "node", 1);
    if (fails) {
        EXPECT(tutti_init(&world, NULL) == TUTTI_ERR_OPTION);
        setenv("TUTTI_TRANSPORT", "node", 1);
        EXPECT(tutti_init(&world, NULL) == TUTTI_ERR_STATE);
        EXPECT(strstr(tutti_error_detail(), "an earlier tutti_init() of this process failed") != NULL);
        return 0;
    }
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size == 2 && tutti_barrier(world) == TUTTI_ERR_PEER_FAILED);
    return job_close();
}

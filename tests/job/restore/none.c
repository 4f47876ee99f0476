/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the launcher has no processes for others' places all ranks hear so, and what to do, and can go on. */
#include "tests/job/job.h"

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    tutti_comm *whole = NULL;
    tutti_request *request = NULL;
    EXPECT(!tutti_is_newcomer());
    EXPECT(tutti_comm_restore(world, &whole) == TUTTI_ERR_UNSUPPORTED && whole == NULL);
    EXPECT(strstr(tutti_error_detail(), "--spares") != NULL &&
           strstr(tutti_error_detail(), "shrink") != NULL);
    EXPECT(tutti_comm_irestore(world, &whole, &request) == TUTTI_ERR_UNSUPPORTED && request == NULL);
    EXPECT(tutti_comm_restore(NULL, &whole) == TUTTI_ERR_ARG &&
           tutti_comm_restore(world, NULL) == TUTTI_ERR_ARG);
    OK(tutti_barrier(world));
    return job_close();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets the way users get them. */
#include "tests/job/rma/put_get_checks.h"

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    for (int shared = 0; shared < 2; shared++) {
        check_put_get(shared);
        check_large(shared);
    }
    return job_close();
}

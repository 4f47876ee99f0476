/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics the way users get them. */
#include "tests/job/rma/atomic_checks.h"

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    for (int shared = 0; shared < 2; shared++) {
        check_counters(shared);
        check_lock(shared);
        check_arrays(shared);
        check_one_buffer(shared);
        check_types(shared);
    }
    return job_close();
}

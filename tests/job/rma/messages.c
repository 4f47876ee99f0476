/* SPDX-License-Identifier: BSD-3-Clause */
/* All of RMA where the kernel refuses single copies: memory that is not mapped is reached by active messages.
 */
#include "tests/job/rma/atomic_checks.h"
#include "tests/job/rma/put_get_checks.h"
#include "tests/job/rma/signal_checks.h"

int main(void)
{
    setenv("TUTTI_SINGLE_COPY", "no", 1);
    job_open(TUTTI_THREAD_SINGLE);
    check_put_get(0);
    check_large(0);
    check_signals(0);
    check_counters(0);
    check_lock(0);
    check_arrays(0);
    check_one_buffer(0);
    check_types(0);
    return job_close();
}

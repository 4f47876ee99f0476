/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals the way users get them. */
#include "tests/job/rma/signal_checks.h"

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    check_signals(0);
    check_signals(1);
    return job_close();
}

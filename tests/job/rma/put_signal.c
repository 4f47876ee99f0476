/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals the way users get them. */
#include "tests/job/rma/signal_checks.h"

int main(void)
{
    job_open(NULL);
    check_signals(0);
    check_signals(1);
    return tutti_finalize() != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Data and signal in a ring: who sees the signal sees the data. */
#ifndef TESTS_JOB_RMA_SIGNAL_CHECKS_H
#define TESTS_JOB_RMA_SIGNAL_CHECKS_H

#include "tests/job/rma/rma_job.h"

static void check_signals(int shared)
{
    static const size_t sizes[] = {0, 1, 8, 100, 8000, 8200, 100000, 1000000};
    const size_t most = 1000000;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    /* Words: 0 the data's signal, 1 the signal that the data was read. */
    job_window w = job_window_open(16 + most, shared);
    unsigned char *buf = malloc(most);
    EXPECT(buf != NULL);
    uint64_t number = 0, seen;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const int rounds = sizes[s] <= 8200 ? 60 : 5;
        for (int i = 0; i < rounds; i++, number++) {
            payload_fill(buf, sizes[s], number + (uint64_t)rank);
            OK(tutti_put_signal(w.window, buf, sizes[s], right, 16, 0, 2));
            memset(buf, 0, sizes[s]);
            OK(tutti_signal_wait(w.window, 0, 2 * number + 1, &seen));
            EXPECT(seen == 2 * number + 2);
            EXPECT(payload_is(w.base + 16, sizes[s], number + (uint64_t)left));
            OK(tutti_put_signal(w.window, NULL, 0, left, 0, 8, 1));
            OK(tutti_signal_wait(w.window, 8, number + 1, NULL));
        }
    }
    free(buf);
    job_window_close(&w);
}

#endif

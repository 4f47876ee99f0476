/* SPDX-License-Identifier: BSD-3-Clause */
/* A gather in which all others write into the buffer of rank 0, and which ends with an error while they still
 * may: in ranks that compute meanwhile, and so can say nothing. */
#ifndef TESTS_JOB_GATHER_PUT_H
#define TESTS_JOB_GATHER_PUT_H

#include "tests/job/job.h"

#define LONG ((size_t)256 << 10) /* what each gives */

enum { TAG_READY, TAG_AWAKE, TAG_DIE };

/* The call of one of the others ends with that error, or well where it had written before that was known. */
static inline void write_late(tutti_comm *comm, unsigned char *buffer, int error, long moment_ns)
{
    const struct timespec moment = {0, moment_ns};
    tutti_request *request;
    memset(buffer, 3, LONG);
    OK(tutti_igather(comm, buffer, NULL, LONG, 0, &request));
    OK(tutti_send(world, NULL, 0, 0, TAG_READY));
    nanosleep(&moment, NULL);
    const double awake = job_now_s();
    const int code = tutti_wait(&request, NULL);
    EXPECT(code == error || code == 0);
    OK(tutti_send(world, &awake, sizeof awake, 0, TAG_AWAKE));
}

/* At the root: ranks 1 to `last` have begun to compute. */
static inline void await_writers(int last)
{
    for (int r = 1; r <= last; r++)
        OK(tutti_recv(world, NULL, 0, r, TAG_READY, NULL));
}

/* At the root, whose call has ended: what it then writes stays. Where it had to `wait` for them, none was
 * still computing at that time. */
static inline void expect_untouched(unsigned char *buffer, int last, double over, int wait)
{
    const size_t all = LONG * (size_t)size;
    double awake;
    memset(buffer, 5, all);
    for (int r = 1; r <= last; r++) {
        OK(tutti_recv(world, &awake, sizeof awake, r, TAG_AWAKE, NULL));
        EXPECT(over >= awake || !wait);
    }
    for (size_t i = 0; i < all; i++)
        EXPECT(buffer[i] == 5);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A death that nobody can meet before it is meant. */
#ifndef TESTS_JOB_LOSE_H
#define TESTS_JOB_LOSE_H

#include <signal.h>

#include "tests/job/job.h"

/* All are done with what they do on `comm`, a barrier too; then the victim kills itself. */
static inline void lose_untold(tutti_comm *comm, int victim)
{
    job_await_all(comm, victim);
    if (tutti_comm_rank(comm) == victim) raise(SIGKILL);
}

/* And the others know of it. */
static inline void lose(tutti_comm *comm, int victim)
{
    int code = 0;
    lose_untold(comm, victim);
    while (code == 0)
        code = tutti_barrier(comm);
    EXPECT(code == TUTTI_ERR_PEER_FAILED);
}

/* Those that are left, after so many deaths, go on among themselves and leave the job; the value is main's.
 * The words are for tests/job/survivors. */
static inline int survive(tutti_comm *comm, int deaths)
{
    tutti_comm *survivors;
    OK(tutti_comm_shrink(comm, &survivors));
    EXPECT(tutti_comm_size(survivors) == tutti_comm_size(comm) - deaths);
    OK(tutti_barrier(survivors));
    OK(tutti_comm_free(&survivors));
    printf("rank %d is fine: %d died\n", rank, deaths);
    tutti_finalize(); /* it may tell of the deaths */
    return 0;
}

/* And a newcomer takes its place. */
static inline tutti_comm *restore_without(tutti_comm *comm, int victim)
{
    tutti_comm *whole;
    lose(comm, victim);
    OK(tutti_comm_restore(comm, &whole));
    return whole;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A death that nobody can meet before it is meant. */
#ifndef TESTS_JOB_LOSE_H
#define TESTS_JOB_LOSE_H

#include <signal.h>

#include "tests/job/job.h"

#define TAG_READY 99

/* All are done with what they do on `comm`, a barrier too; then the victim kills itself. */
static inline void lose_untold(tutti_comm *comm, int victim)
{
    const int own = tutti_comm_rank(comm);
    for (int r = 0; r < tutti_comm_size(comm) && own == victim; r++)
        if (r != victim) OK(tutti_recv(comm, NULL, 0, r, TAG_READY, NULL));
    if (own == victim) raise(SIGKILL);
    OK(tutti_send(comm, NULL, 0, victim, TAG_READY));
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

#endif

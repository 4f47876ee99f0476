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

/* A barrier behind which ranks may leave: after a death a collective fails where a member has left, though
 * all that it waits for is another's word. */
static inline void meet_to_leave(tutti_comm *comm)
{
    const int own = tutti_comm_rank(comm);
    job_await_all(comm, 0);
    if (own != 0) OK(tutti_recv(comm, NULL, 0, 0, 98, NULL));
    for (int r = 1; r < tutti_comm_size(comm) && own == 0; r++)
        OK(tutti_send(comm, NULL, 0, r, 98));
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The first rank gives up a call that the others would read its buffer in, and has the buffer for other data:
 * who comes after that, and has not heard of it, gets the error and not the other data. */
#include <signal.h>
#include <unistd.h>

#include "tests/job/job.h"

#define LONG 4096 /* of so few bytes a call does not look for messages before */

static sigset_t given_up; /* told by a signal, as a call of Tutti's would bring the news */

static void give_up(tutti_comm *comm, unsigned char *buffer, const pid_t *others)
{
    tutti_request *request;
    memset(buffer, 3, LONG);
    OK(tutti_ibcast(comm, buffer, LONG, 0, &request));
    OK(tutti_comm_revoke(comm));
    const int code = tutti_wait(&request, NULL);
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0); /* it has left with messages */
    memset(buffer, 9, LONG);
    for (int r = 1; r < size; r++)
        EXPECT(kill(others[r], SIGUSR1) == 0);
}

static void come_late(tutti_comm *comm, unsigned char *buffer)
{
    int signal;
    EXPECT(sigwait(&given_up, &signal) == 0);
    const int code = tutti_bcast(comm, buffer, LONG, 0);
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0);
    for (size_t i = 0; code == 0 && i < LONG; i++)
        EXPECT(buffer[i] == 3);
}

int main(void)
{
    tutti_comm *comm;
    void *buffer;
    setenv("TUTTI_BCAST", "0-:shown", 1);
    sigemptyset(&given_up);
    sigaddset(&given_up, SIGUSR1);
    sigprocmask(SIG_BLOCK, &given_up, NULL);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    const pid_t self = getpid();
    pid_t *all = calloc((size_t)size, sizeof *all);
    OK(tutti_allgather(world, &self, all, sizeof self));
    OK(tutti_mem_alloc(world, LONG, &buffer));
    OK(tutti_comm_dup(world, &comm));
    OK(tutti_barrier(comm)); /* from here on a blocking call meets one that is not */
    OK(tutti_barrier(world));
    if (rank == 0) give_up(comm, buffer, all);
    if (rank != 0) come_late(comm, buffer);
    OK(tutti_barrier(world));
    OK(tutti_comm_free(&comm));
    OK(tutti_mem_free(buffer));
    free(all);
    return job_close();
}

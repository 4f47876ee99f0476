/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank of two revokes while the other may still write into its buffer: the request, or the blocking call of
 * another thread, ends only when that one has said that it does so no more, which it cannot while it
 * computes; and what is in the buffer then stays. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "tests/job/job.h"

#define LONG (1 << 20)

static unsigned char buffer[LONG];
static int together;    /* all ranks share memory */
static sigset_t asleep; /* rank 0 answers nobody from here on: told by a signal, as no call of Tutti's can */

static int begin_and_revoke(tutti_comm *comm)
{
    tutti_request *request;
    OK(tutti_ibcast(comm, buffer, LONG, 0, &request));
    OK(tutti_comm_revoke(comm));
    return tutti_wait(&request, NULL);
}

/* Revokes once the other thread's call is under way: it has copied what nobody else writes. */
static void *revoke_meanwhile(void *comm)
{
    while (*(volatile unsigned char *)buffer == 0)
        sched_yield();
    OK(tutti_comm_revoke(comm));
    return NULL;
}

static int call_while_it_is_revoked(tutti_comm *comm)
{
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, revoke_meanwhile, comm) == 0);
    const int code = tutti_bcast(comm, buffer, LONG, 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    return code;
}

static void receive(tutti_comm *comm, int (*get)(tutti_comm *comm))
{
    const pid_t self = getpid();
    double awake;
    int signal;
    memset(buffer, 0, LONG);
    OK(tutti_send(world, &self, sizeof self, 0, 0));
    EXPECT(sigwait(&asleep, &signal) == 0);
    const int code = get(comm);
    const double over = job_now_s();
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0); /* the other one was quick */
    memset(buffer, 5, LONG);
    OK(tutti_recv(world, &awake, sizeof awake, 0, 0, NULL));
    EXPECT(code == 0 || over >= awake || !together);
}

static void compute_meanwhile(tutti_comm *comm)
{
    const struct timespec moment = {0, 200000000};
    tutti_request *request;
    pid_t receiver;
    memset(buffer, 3, LONG);
    OK(tutti_recv(world, &receiver, sizeof receiver, 1, 0, NULL));
    OK(tutti_ibcast(comm, buffer, LONG, 0, &request));
    EXPECT(kill(receiver, SIGUSR1) == 0);
    nanosleep(&moment, NULL);
    const double awake = job_now_s();
    const int code = tutti_wait(&request, NULL);
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0);
    OK(tutti_send(world, &awake, sizeof awake, 1, 0));
}

static void meet(int (*get)(tutti_comm *comm))
{
    tutti_comm *pair;
    OK(tutti_comm_split(world, rank < 2 ? 0 : TUTTI_UNDEFINED, rank, &pair));
    if (rank < 2) OK(tutti_barrier(pair)); /* from here on a blocking call meets one that is not */
    if (rank == 0) compute_meanwhile(pair);
    if (rank == 1) receive(pair, get);
    OK(tutti_barrier(world));
    for (size_t i = 0; rank == 1 && i < LONG; i++)
        EXPECT(buffer[i] == 5);
    if (rank < 2) OK(tutti_comm_free(&pair));
}

int main(void)
{
    setenv("TUTTI_BCAST", "0-:shown_both", 1);
    sigemptyset(&asleep);
    sigaddset(&asleep, SIGUSR1);
    sigprocmask(SIG_BLOCK, &asleep, NULL);
    job_open(TUTTI_THREAD_MULTIPLE);
    job_need(2);
    together = job_shares_memory();
    meet(begin_and_revoke);
    meet(call_while_it_is_revoked);
    return job_close();
}

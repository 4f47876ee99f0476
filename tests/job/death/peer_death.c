/* SPDX-License-Identifier: BSD-3-Clause */
/* The last rank is killed while all others have operations of every kind with it: each ends with
 * TUTTI_ERR_PEER_FAILED, what it had sent is still received, and the survivors go on talking. */
#include <signal.h>
#include <unistd.h>

#include "tests/job/job.h"

#define LONG (4 << 20)
#define DELAY_US 300000

static char longs[LONG];
static int victim;
static tutti_comm *reversed; /* the victim is its rank 0 */

static void die_later(void)
{
    for (int r = 0; r < victim; r++)
        OK(tutti_send(world, "x", 1, r, 77));
    job_await_all(world, victim);
    usleep(DELAY_US);
    kill(getpid(), SIGKILL);
}

/* A call that waits for the rank as it dies names it. */
static void block(const char *name)
{
    char byte;
    int code;
    if (rank % 3 == 0)
        code = tutti_send(world, longs, LONG, victim, 2);
    else if (rank % 3 == 1)
        code = tutti_ssend(world, longs, 8, victim, 2);
    else
        code = tutti_sendrecv(world, longs, LONG, victim, 2, &byte, 1, victim, 5, NULL);
    EXPECT(code == TUTTI_ERR_PEER_FAILED && strstr(tutti_error_detail(), name) != NULL);
}

/* All of them are under way when the rank dies. */
static void wait_for_death(void)
{
    tutti_request *requests[6], *barrier;
    tutti_status status;
    char byte, name[16];
    snprintf(name, sizeof name, "rank %d", victim);
    OK(tutti_ibarrier(world, &barrier));
    OK(tutti_irecv(world, longs, 10, victim, 1, &requests[0]));
    OK(tutti_irecv(world, longs, 10, TUTTI_ANY_SOURCE, 1, &requests[1]));
    OK(tutti_isend(world, longs, LONG, victim, 2, &requests[2]));
    OK(tutti_issend(world, longs, 8, victim, 2, &requests[3]));
    OK(tutti_irecv(world, &byte, 1, victim, TUTTI_ANY_TAG, &requests[4]));
    OK(tutti_irecv(reversed, longs, 10, 0, 1, &requests[5]));
    job_await_all(world, victim);
    OK(tutti_wait(&requests[4], &status)); /* it had sent this one before */
    EXPECT(status.tag == 77 && byte == 'x');
    block(name);
    for (int i = 0; i < 4; i++) {
        EXPECT(tutti_wait(&requests[i], &status) == TUTTI_ERR_PEER_FAILED);
        EXPECT(status.error == TUTTI_ERR_PEER_FAILED && requests[i] == NULL);
        EXPECT(status.source == victim && strstr(tutti_error_detail(), name) != NULL);
    }
    EXPECT(tutti_wait(&barrier, &status) == TUTTI_ERR_PEER_FAILED && status.source == victim);
    EXPECT(strstr(tutti_error_detail(), name) != NULL);
    EXPECT(tutti_wait(&requests[5], &status) == TUTTI_ERR_PEER_FAILED && status.source == 0);
}

static void expect_lost(int code, tutti_status *status, int lost)
{
    EXPECT(code == TUTTI_ERR_PEER_FAILED && status->error == code && status->source == lost &&
           status->bytes == 0);
    *status = (tutti_status){-9, -9, 9, 0};
}

/* Every status names it, and every detail. */
static void try_the_dead(void)
{
    tutti_status status;
    tutti_request *request = NULL;
    tutti_message *message;
    char byte = 0, name[16];
    int found = 7;
    snprintf(name, sizeof name, "rank %d", victim);
    expect_lost(tutti_recv(world, &byte, 1, victim, 3, &status), &status, victim);
    expect_lost(tutti_recv(world, &byte, 1, TUTTI_ANY_SOURCE, 3, &status), &status, victim);
    expect_lost(tutti_recv(reversed, &byte, 1, TUTTI_ANY_SOURCE, 3, &status), &status, 0);
    EXPECT(tutti_irecv(world, &byte, 1, TUTTI_ANY_SOURCE, 3, &request) == TUTTI_ERR_PEER_FAILED);
    EXPECT(request == NULL && strstr(tutti_error_detail(), name) != NULL);
    EXPECT(tutti_send(world, &byte, 1, victim, 3) == TUTTI_ERR_PEER_FAILED);
    expect_lost(tutti_probe(world, TUTTI_ANY_SOURCE, 3, &status), &status, victim);
    expect_lost(tutti_mprobe(reversed, TUTTI_ANY_SOURCE, 3, &message, &status), &status, 0);
    expect_lost(tutti_iprobe(world, victim, 3, &found, &status), &status, victim);
    EXPECT(found == 0);
    /* What could be received is not lost where the send fails. */
    char taken = 0;
    OK(tutti_send(world, "y", 1, rank, 4));
    EXPECT(tutti_sendrecv(world, &byte, 1, victim, 3, &taken, 1, rank, 4, NULL) == TUTTI_ERR_PEER_FAILED);
    OK(tutti_recv(world, &taken, 1, rank, 4, NULL));
    EXPECT(taken == 'y');
    EXPECT(tutti_sendrecv(world, &byte, 1, rank, 5, &taken, 1, victim, 3, &status) == TUTTI_ERR_PEER_FAILED);
    EXPECT(status.source == victim && status.error == TUTTI_ERR_PEER_FAILED);
}

static void go_on(void)
{
    const int right = (rank + 1) % victim, left = (rank + victim - 1) % victim;
    OK(tutti_sendrecv(world, longs, LONG / 2, right, 9, longs + LONG / 2, LONG / 2, left, 9, NULL));
    if (rank != 0) OK(tutti_send(world, NULL, 0, 0, 10));
    for (int r = 1; rank == 0 && r < victim; r++)
        OK(tutti_recv(world, NULL, 0, r, 10, NULL));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    victim = size - 1;
    OK(tutti_comm_split(world, 0, -rank, &reversed));
    if (rank == victim) die_later();
    wait_for_death();
    try_the_dead();
    go_on();
    OK(tutti_comm_free(&reversed));
    if (rank == 0) printf("all %d survivors are fine\n", victim);
    return job_close();
}

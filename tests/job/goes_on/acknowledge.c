/* SPDX-License-Identifier: BSD-3-Clause */
/* All but ranks 0 and 1 die one after the other: each death ends what rank 0 receives or looks for from any
 * source, and once it is acknowledged receives and probes wait for the living, until the next. At last rank 1
 * dies, too, and nobody is left to wait for. */
#include <signal.h>

#include "tests/job/job.h"

enum { TAG_DIE, TAG_SPEAK, TAG_WORD };

static tutti_comm *reversed;

static int count_failed(tutti_comm *comm, int *ranks, int room)
{
    int count = -1;
    OK(tutti_comm_failed(comm, ranks, room, &count));
    return count;
}

static void obey(void)
{
    tutti_status status;
    for (;;) {
        OK(tutti_recv(world, NULL, 0, 0, TUTTI_ANY_TAG, &status));
        if (status.tag == TAG_DIE) raise(SIGKILL);
        OK(tutti_send(world, &rank, sizeof rank, 0, TAG_WORD));
    }
}

/* A receive and a probe that the death of `victim` ends. */
static void see_die(int victim)
{
    tutti_request *request;
    tutti_status status = {0};
    int word;
    OK(tutti_irecv(world, &word, sizeof word, TUTTI_ANY_SOURCE, TAG_WORD, &request));
    OK(tutti_send(world, NULL, 0, victim, TAG_DIE));
    EXPECT(tutti_probe(world, TUTTI_ANY_SOURCE, TAG_SPEAK, &status) == TUTTI_ERR_PEER_FAILED);
    EXPECT(status.source == victim);
    EXPECT(tutti_wait(&request, &status) == TUTTI_ERR_PEER_FAILED && status.source == victim);
    EXPECT(tutti_recv(world, &word, sizeof word, TUTTI_ANY_SOURCE, TAG_WORD, &status) ==
           TUTTI_ERR_PEER_FAILED);
    EXPECT(status.source == victim);
}

/* The victim is the last of those in the list, which has `dead` others. */
static void check_list(int victim, int dead)
{
    int ranks[8], other[8];
    EXPECT(count_failed(world, ranks, 8) == dead + 1 && ranks[dead] == victim);
    EXPECT(count_failed(reversed, other, 8) == dead + 1 && other[dead] == size - 1 - victim);
    ranks[dead] = -7;
    EXPECT(count_failed(world, ranks, dead) == dead + 1 && ranks[dead] == -7);
    EXPECT(count_failed(world, NULL, 0) == dead + 1);
}

/* From any source, from the living. */
static void hear_the_living(void)
{
    tutti_status status;
    int word = -1, found = 7;
    OK(tutti_iprobe(world, TUTTI_ANY_SOURCE, TAG_SPEAK, &found, NULL));
    EXPECT(found == 0);
    OK(tutti_send(world, NULL, 0, 1, TAG_SPEAK));
    OK(tutti_probe(world, TUTTI_ANY_SOURCE, TAG_WORD, &status));
    EXPECT(status.source == 1);
    OK(tutti_recv(world, &word, sizeof word, TUTTI_ANY_SOURCE, TAG_WORD, &status));
    EXPECT(word == 1 && status.source == 1);
}

static void watch(void)
{
    int word;
    EXPECT(count_failed(world, NULL, 0) == 0);
    OK(tutti_comm_acknowledge(world)); /* nobody is dead: that changes nothing */
    for (int victim = size - 1; victim > 1; victim--) {
        see_die(victim);
        check_list(victim, size - 1 - victim);
        OK(tutti_comm_acknowledge(world));
        hear_the_living();
        EXPECT(tutti_barrier(world) == TUTTI_ERR_PEER_FAILED);
        /* Each communicator for itself. */
        EXPECT(tutti_recv(reversed, &word, sizeof word, TUTTI_ANY_SOURCE, 1, NULL) == TUTTI_ERR_PEER_FAILED);
    }
    see_die(1);
    OK(tutti_comm_acknowledge(world));
    EXPECT(tutti_recv(world, &word, sizeof word, TUTTI_ANY_SOURCE, TAG_WORD, NULL) == TUTTI_ERR_PEER_FAILED);
}

static void check_arguments(void)
{
    int count, list[1];
    EXPECT(tutti_comm_failed(NULL, list, 1, &count) == TUTTI_ERR_ARG);
    EXPECT(tutti_comm_failed(world, NULL, 1, &count) == TUTTI_ERR_ARG);
    EXPECT(tutti_comm_failed(world, list, -1, &count) == TUTTI_ERR_ARG);
    EXPECT(tutti_comm_failed(world, list, 1, NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_comm_acknowledge(NULL) == TUTTI_ERR_ARG);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    OK(tutti_comm_split(world, 0, -rank, &reversed));
    job_await_all(world, 0); /* nobody dies while another is still in that */
    if (rank > 0) obey();
    check_arguments();
    watch();
    OK(tutti_comm_free(&reversed));
    printf("rank 0 is fine\n");
    return job_close();
}

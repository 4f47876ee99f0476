/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank starts only after others have long been sending to it: meanwhile their other messages, and those of
 * their other threads, go on. Rank 2 waits, before it joins, for a file named after the job. */
#include <pthread.h>
#include <unistd.h>

#include "tests/job/job.h"
#include "tests/job/start_file.h"

#define LATE 2
#define ROUNDS 200

static void *send_to_late(void *argument)
{
    OK(tutti_send(world, argument, 1, LATE, 1));
    return NULL;
}

static void talk(int peer)
{
    int value = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 0) OK(tutti_send(world, &i, sizeof i, peer, 3));
        OK(tutti_recv(world, &value, sizeof value, peer, 3, NULL));
        EXPECT(value == i);
        if (rank == 1) OK(tutti_send(world, &value, sizeof value, peer, 3));
    }
}

int main(void)
{
    const char *number = getenv("PMIX_RANK");
    start_file_find("late");
    if (number != NULL && atoi(number) == LATE) start_file_await();
    job_open(TUTTI_THREAD_MULTIPLE);
    job_need(3);
    char byte = 'x';
    if (rank == 0) {
        tutti_request *request;
        pthread_t thread;
        OK(tutti_isend(world, &byte, 1, LATE, 2, &request));
        EXPECT(pthread_create(&thread, NULL, send_to_late, &byte) == 0);
        talk(1);
        FILE *file = fopen(start_file, "w");
        EXPECT(file != NULL && fclose(file) == 0);
        EXPECT(pthread_join(thread, NULL) == 0);
        OK(tutti_wait(&request, NULL));
    } else if (rank == 1) {
        talk(0);
    } else if (rank == LATE) {
        OK(tutti_recv(world, &byte, 1, 0, 1, NULL));
        OK(tutti_recv(world, &byte, 1, 0, 2, NULL));
    }
    OK(tutti_barrier(world));
    return job_close();
}

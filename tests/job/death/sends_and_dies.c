/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank is killed just after its first message to another, which is outside of Tutti and takes the message,
 * or hears of the death, later. */
#include <signal.h>
#include <time.h>

#include "tests/job/job.h"

static void nap(long ms)
{
    const struct timespec moment = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&moment, NULL);
}

static void send_and_die(void)
{
    tutti_request *request = NULL;
    int done = 0;
    OK(tutti_isend(world, &rank, sizeof rank, 0, 0, &request));
    for (int i = 0; i < 50; i++) { /* lets it out */
        if (request != NULL) OK(tutti_test(&request, &done, NULL));
        nap(1);
    }
    raise(SIGKILL);
}

int main(void)
{
    int from = -1;
    job_open(TUTTI_THREAD_SINGLE);
    if (rank == 1) send_and_die();
    nap(1000);
    const int code = tutti_recv(world, &from, sizeof from, 1, 0, NULL);
    EXPECT(code == TUTTI_ERR_PEER_FAILED || (code == 0 && from == 1));
    printf("rank 0 lives\n");
    return job_close();
}

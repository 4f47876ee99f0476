/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective stays under way while very many others are made, until the tags of one of them are its own.
 * Who would send to it then is told so, and nobody takes one for the other. Here ranks 1 and 2 start a sum
 * that waits for rank 0, which waits for a message; meanwhile they make broadcasts. All goes by messages, so
 * that no root waits for rank 0, which takes no part yet. */
#include "tests/job/job.h"

#define CALLS 40000
#define DONE_TAG 7

static int64_t value;

static int start_sum(int64_t *sum, tutti_request **request)
{
    value = rank + 1;
    return tutti_iscan(world, &value, sum, 1, TUTTI_INT64, TUTTI_SUM, request);
}

/* How many were made before one was refused. */
static int broadcast(void)
{
    int made = 0;
    for (int64_t number = 0; made < CALLS; made++) {
        number = rank == 1 ? made : -1;
        if (tutti_bcast(world, &number, sizeof number, 1) < 0) break;
        EXPECT(number == made);
    }
    return made;
}

static void expect_refused(int made)
{
    EXPECT(made > 1000 && made < CALLS);
    /* one finds it out, and who hears of that first is told which rank it was */
    EXPECT(strstr(tutti_error_detail(), "is not complete") != NULL ||
           strstr(tutti_error_detail(), "limit reached") != NULL);
}

int main(void)
{
    int64_t sum = 0;
    tutti_request *request;
    setenv("TUTTI_SCAN", "-:chain", 1);
    setenv("TUTTI_BCAST", "-:knomial:k=3", 1);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    OK(tutti_barrier(world)); /* the first blocking call may wait for all */
    if (rank == 0) OK(tutti_recv(world, NULL, 0, 2, DONE_TAG, NULL));
    const int code = start_sum(&sum, &request);
    if (rank == 0) EXPECT(code == 0 || code == TUTTI_ERR_LIMIT);
    if (rank > 0) {
        OK(code);
        expect_refused(broadcast());
    }
    if (rank == 2) OK(tutti_send(world, NULL, 0, 0, DONE_TAG));
    const int ended = code == 0 ? tutti_wait(&request, NULL) : code;
    EXPECT(ended == TUTTI_ERR_LIMIT || (rank == 0 && ended == 0)); /* who sends waits for nobody */
    return job_close();
}

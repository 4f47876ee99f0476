/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to a rank of the node that has called tutti_finalize(): they end with an error that says so, short
 * ones as soon as there is no room for them any more, and do not wait for ever. */
#include <string.h>

#include "tests/job/job.h"

#define SHORT 2048
#define LONG 500000

static char data[LONG];

static void expect_left(int code)
{
    EXPECT(code == TUTTI_ERR_STATE && strstr(tutti_error_detail(), "tutti_finalize()") != NULL);
}

static void flood(int peer)
{
    int code = 0;
    while (code == 0)
        code = tutti_send(world, data, SHORT, peer, 1);
    expect_left(code);
}

/* Requests that were under way when it left, and others behind them. */
static void flood_with_requests(int peer)
{
    enum { COUNT = 2000 };
    static tutti_request *requests[COUNT];
    int count = 0, code = 0;
    while (count < COUNT && code == 0)
        code = tutti_isend(world, data, SHORT, peer, 1, &requests[count++]);
    if (code != 0) {
        count--;
        expect_left(code);
    }
    for (int i = 0; i < count; i++) {
        code = tutti_wait(&requests[i], NULL);
        if (code != 0) expect_left(code);
    }
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(job_shares_memory() ? 2 : size + 1); /* over the fabric all leave together */
    OK(tutti_barrier(world));
    for (int peer = 1; peer < size && rank == 0; peer++) {
        flood_with_requests(peer);
        flood(peer);
        expect_left(tutti_send(world, data, LONG, peer, 1));
        expect_left(tutti_ssend(world, data, 8, peer, 1));
    }
    return job_close();
}

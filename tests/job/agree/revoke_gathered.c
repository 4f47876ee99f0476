/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of a gather revokes while all others may still write into its buffer: its request ends only when
 * each of them has said that it does so no more, which none can while it computes; and what is in the buffer
 * then stays. */
#include "tests/job/gather_put.h"

#define MOMENT_NS 100000000

static unsigned char *buffer;

static void gather_and_revoke(tutti_comm *comm, int together)
{
    tutti_request *request;
    await_writers(size - 1);
    OK(tutti_igather(comm, TUTTI_IN_PLACE, buffer, LONG, 0, &request));
    OK(tutti_comm_revoke(comm));
    const int code = tutti_wait(&request, NULL);
    const double over = job_now_s();
    EXPECT(code == TUTTI_ERR_REVOKED || code == 0);
    expect_untouched(buffer, size - 1, over, together && code != 0);
}

int main(void)
{
    tutti_comm *comm;
    setenv("TUTTI_GATHER", "0-:put", 1);
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    const int together = job_shares_memory();
    buffer = calloc((size_t)size, LONG);
    EXPECT(buffer != NULL);
    OK(tutti_comm_dup(world, &comm));
    if (rank == 0)
        gather_and_revoke(comm, together);
    else
        write_late(comm, buffer, TUTTI_ERR_REVOKED, MOMENT_NS);
    OK(tutti_comm_free(&comm));
    free(buffer);
    return job_close();
}

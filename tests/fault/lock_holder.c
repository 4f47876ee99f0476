/* SPDX-License-Identifier: BSD-3-Clause */
/* lock_holder own|peer: the last rank is killed (-9) inside libfabric's shm provider with a lock in shared
 * memory: that of its own segment, which all who send to it take, or that of the rank it sends to. Whoever
 * waits for such a lock must not wait for ever. With `own` the survivors may be told of the death before they
 * meet the lock, and then never do; with `peer` nobody gets to the end of this program. */
#include <string.h>

#include "tests/fabric-faults/killed_unlock.h"
#include "tests/job/job.h"

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    EXPECT(argc > 1);
    for (int round = 0; round < 100; round++)
        OK(tutti_barrier(world));
    job_await_all(world, size - 1); /* none is still in the last of them */
    const bool own = strcmp(argv[1], "own") == 0;
    if (rank == size - 1) die_in_unlock(own);
    int code = 0;
    while (code == 0)
        code = tutti_barrier(world);
    printf("rank %d was told: %s\n", rank, tutti_error_detail());
    fflush(stdout);
    /* A survivor's lock is met here, if it was not before. */
    const int64_t word = rank;
    while (!own && tutti_send(world, &word, sizeof word, (rank + 1) % (size - 1), 0) == 0)
        continue;
    tutti_finalize(); /* with a dead peer it may complain, not hang */
    return 0;
}

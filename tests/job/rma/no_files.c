/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that may open no more files cannot map another one's part: it is told why, what it writes goes
 * another way, and with more files it has the address. */
#include "tests/job/limit_files.h"

int main(void)
{
    uint64_t *mine, value = 7;
    void *memory, *there;
    tutti_window *window;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    if (!job_shares_memory()) {
        OK(tutti_finalize());
        return 77;
    }
    const int next = (rank + 1) % size;
    OK(tutti_mem_alloc(world, 16, &memory));
    mine = memory;
    mine[0] = mine[1] = 0;
    OK(tutti_window_create(world, memory, 16, &window));
    limit_files(true);
    EXPECT(tutti_window_direct(window, next, &there) == TUTTI_ERR_LIMIT);
    EXPECT(strstr(tutti_error_detail(), "ulimit -n") != NULL);
    OK(tutti_put(window, &value, sizeof value, next, 0, NULL));
    OK(tutti_flush(window, next));
    EXPECT(tutti_window_direct(window, next, &there) == TUTTI_ERR_LIMIT);
    limit_files(false);
    OK(tutti_window_direct(window, next, &there));
    EXPECT(((uint64_t *)there)[0] == value);
    ((uint64_t *)there)[1] = value + 1;
    OK(tutti_barrier(world));
    EXPECT(mine[0] == value && mine[1] == value + 1);
    OK(tutti_window_free(&window));
    OK(tutti_mem_free(memory));
    return job_close();
}

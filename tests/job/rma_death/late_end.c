/* SPDX-License-Identifier: BSD-3-Clause */
/* The last rank dies, and the window that the others begin to make ends with that before rank 2 has started.
 * That one hears of the ends when it comes, answers though nobody waits for it any more, and none of the
 * survivors takes another for dead. Rank 2 waits, before it joins, for a file named after the job. */
#include <unistd.h>

#include "tests/job/lose.h"
#include "tests/job/start_file.h"

#define LATE 2

static char memory[1000];

static void let_it_start(void)
{
    char byte = 0;
    OK(tutti_recv(world, &byte, 1, 1, 0, NULL)); /* rank 1 has ended its part as well */
    FILE *file = fopen(start_file, "w");
    EXPECT(file != NULL && fclose(file) == 0);
}

int main(void)
{
    const char *number = getenv("PMIX_RANK");
    char byte = 0;
    tutti_window *window;
    start_file_find("late-end");
    if (number != NULL && atoi(number) == LATE) start_file_await();
    job_open(TUTTI_THREAD_SINGLE);
    if (rank == size - 1) raise(SIGKILL);
    EXPECT(tutti_window_create(world, memory, sizeof memory, &window) == TUTTI_ERR_PEER_FAILED);
    if (rank == 1) OK(tutti_send(world, &byte, 1, 0, 0));
    if (rank == 0) let_it_start();
    for (int r = 0; r < LATE; r++) {
        if (rank == LATE) OK(tutti_send(world, &byte, 1, r, 1));
        if (rank == r) OK(tutti_recv(world, &byte, 1, LATE, 1, NULL));
    }
    return survive(world, 1);
}

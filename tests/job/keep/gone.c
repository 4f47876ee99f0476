/* SPDX-License-Identifier: BSD-3-Clause */
/* gone forgets|leaves: a rank is needed no more, as far as it knows: it forgets its piece and dies, or it
 * leaves the job after a death of which all know. The others go on, and its buddy still has the piece. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "tests/job/lose.h"

#define BYTES 300001
#define VICTIM 3
#define GONE 1

static unsigned char state[BYTES];

static void fill(int of)
{
    for (size_t i = 0; i < BYTES; i++)
        state[i] = (unsigned char)(1 + (i * 7 + (size_t)of * 31) % 251);
}

/* Ends the process in one of both ways. */
static void go(bool leaves)
{
    if (leaves) exit(job_close());
    OK(tutti_forget("state"));
    raise(SIGKILL);
}

/* When it is gone it has freed all that it frees. */
static void await_end_of(pid_t process)
{
    while (kill(process, 0) == 0)
        usleep(1000);
    EXPECT(errno == ESRCH);
}

static void expect_piece(const tutti_kept *piece, int of)
{
    EXPECT(piece->rank == of && piece->of == size && piece->bytes == BYTES);
    fill(of);
    EXPECT(memcmp(piece->data, state, BYTES) == 0);
}

/* Each of the two that are left is the buddy of one that is not. */
static void expect_all(tutti_comm *two)
{
    tutti_kept pieces[2];
    int count = 0;
    OK(tutti_recall(two, "state", pieces, 2, &count));
    EXPECT(count == 2);
    expect_piece(&pieces[0], rank);
    expect_piece(&pieces[1], rank == 0 ? VICTIM : GONE);
}

int main(int argc, char **argv)
{
    pid_t process = getpid(), processes[4];
    tutti_comm *three, *two;
    EXPECT(argc == 2);
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size == 4);
    OK(tutti_allgather(world, &process, processes, sizeof process));
    fill(rank);
    OK(tutti_keep(world, "state", state, BYTES));
    lose(world, VICTIM);
    OK(tutti_comm_shrink(world, &three));
    if (rank == GONE) go(strcmp(argv[1], "leaves") == 0);
    await_end_of(processes[GONE]);
    EXPECT(tutti_barrier(three) == TUTTI_ERR_PEER_FAILED);
    OK(tutti_comm_shrink(three, &two));
    expect_all(two);
    if (rank == 0) printf("two have four pieces\n");
    return job_close();
}

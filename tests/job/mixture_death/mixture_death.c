/* SPDX-License-Identifier: BSD-3-Clause */
/* mixture_death [STEPS [SEED]]: as many_forms, and a rank is killed in the middle, between two steps or at a
 * moment of the clock's, with operations of all kinds under way. Calls with it give the right result or its
 * death, all others go on, and each survivor says at the end that it is fine. */
#include "tests/job/mixture/steps.h"
#include "tests/job/victims.h"

#define COMMUNICATORS 10
#define LONGEST_US 30000

/* The survivors' own communicator: they wait for each other on it, for one that leaves is as lost as a dead
 * one. */
static void meet_survivors(tutti_comm *survivors)
{
    int64_t mine = rank, sum = 0;
    OK(tutti_allreduce(survivors, &mine, &sum, 1, TUTTI_INT64, TUTTI_SUM));
    EXPECT(sum == (int64_t)size * (size - 1) / 2 - victim);
    OK(tutti_barrier(survivors));
}

/* Communicators with the victim are whole at all ranks once it leaves, and no more are made. It waits for
 * what others say behind the barrier, since its last word there may not have left it yet when it could go on;
 * they may hear of its death before their own word is told to be sent. */
static void meet_whole(void)
{
    char word = 0, words[MOST_RANKS];
    OK(tutti_barrier(world));
    const int code = tutti_gather(world, &word, words, 1, doomed);
    EXPECT(code == 0 || (code == TUTTI_ERR_PEER_FAILED && rank != doomed));
}

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    mixture_begin(argc > 2 ? strtoull(argv[2], NULL, 10) : 1, argc > 1 ? strtol(argv[1], NULL, 10) : 600,
                  COMMUNICATORS, 3);
    doomed = (int)draw_below(&common, (uint64_t)size);
    const long moment = steps / 3 + (long)draw_below(&common, (uint64_t)(steps / 3 + 1));
    const uint64_t by_clock = draw_below(&common, 2) ? draw_below(&common, LONGEST_US) : 0;
    tutti_comm *survivors;
    OK(tutti_comm_split(world, rank == doomed ? TUTTI_UNDEFINED : 0, 0, &survivors));
    while (step < steps / 3)
        take_step();
    meet_whole();
    victim = doomed;
    if (rank == victim && by_clock > 0) die_within(by_clock);
    while (step < steps) {
        if (rank == victim && step >= moment) raise(SIGKILL);
        take_step();
    }
    mixture_end();
    meet_survivors(survivors);
    OK(tutti_comm_free(&survivors));
    (void)tutti_window_free(&window); /* it tells of the death */
    printf("rank %d is fine\n", rank);
    fflush(stdout);
    (void)mixture_close(); /* with a dead peer it may complain, not hang */
    free(window_memory);
    return 0;
}

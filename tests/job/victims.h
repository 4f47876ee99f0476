/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that are killed at moments of their own, which follow from a seed, as all ranks know. */
#ifndef TTI_TESTS_VICTIMS_H
#define TTI_TESTS_VICTIMS_H

#include <signal.h>
#include <sys/time.h>

#include "tests/job/job.h"

/* A victim dies within so many µs. */
#define DIES_WITHIN_US 20000

static inline void die(int signal_number)
{
    (void)signal_number;
    raise(SIGKILL);
}

static inline void die_within(uint64_t microseconds)
{
    const struct itimerval timer = {.it_value = {.tv_usec = (suseconds_t)microseconds + 1}};
    signal(SIGALRM, die);
    EXPECT(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

/* How many there are: any number from none to all but one. They have their timers set. */
static inline int choose_victims(uint64_t *state)
{
    const int victims = (int)(job_random(state) % (uint64_t)size);
    int left = victims;
    for (int r = 0; r < size; r++) {
        const int dies = job_random(state) % (uint64_t)(size - r) < (uint64_t)left;
        const uint64_t when = job_random(state) % DIES_WITHIN_US;
        left -= dies;
        if (dies && r == rank) die_within(when);
    }
    return victims;
}

/* Joins the job; returns how many victims there are by the seed, the first argument. */
static inline int victims_open(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    if (tutti_barrier(world) != 0) fprintf(stderr, "a victim was faster than rank %d\n", rank);
    return choose_victims(&state);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks keep where some are killed at random moments, and how they die. */
#ifndef TESTS_JOB_KEEP_STATE_H
#define TESTS_JOB_KEEP_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>

#include "tests/job/job.h"

#define STATE_BYTES 150000

static uint64_t chance;
static unsigned char state[STATE_BYTES];

static inline unsigned draw(unsigned below)
{
    return (unsigned)(job_random(&chance) % below);
}

/* In so many of four cases this process is killed: SIGALRM ends one that does not expect it, wherever that
 * is. */
static inline void choose_end(unsigned of_four, unsigned within_us)
{
    const struct itimerval timer = {.it_value = {.tv_usec = 1000 + (int)draw(within_us)}};
    if (draw(4) < of_four) OK(setitimer(ITIMER_REAL, &timer, NULL));
}

static inline void fill(int of, int64_t version)
{
    memcpy(state, &version, sizeof version);
    for (size_t i = sizeof version; i < STATE_BYTES; i++)
        state[i] = (unsigned char)(i * 7 + (size_t)of * 31 + (size_t)version * 13);
}

/* Its version. */
static inline int64_t check_piece(const tutti_kept *piece)
{
    int64_t version;
    EXPECT(piece->bytes == STATE_BYTES);
    memcpy(&version, piece->data, sizeof version);
    fill(piece->rank, version);
    EXPECT(memcmp(state, piece->data, STATE_BYTES) == 0);
    return version;
}

/* Some may have met a death, and others not. */
static inline bool all_agree(tutti_comm *comm, bool good)
{
    uint64_t flags = good;
    const int code = tutti_comm_agree(comm, &flags);
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    return code == 0 && flags != 0;
}

#endif

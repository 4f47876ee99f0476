/* SPDX-License-Identifier: BSD-3-Clause */
/* What the executor calls of the layers below it that are not explored: waiting, rounds of progress, news of
 * a death. In this build these have other names (CMakeLists.txt), and stand here, as thin as they can be. */
#ifndef TESTS_EXPLORE_OUTSIDE_H
#define TESTS_EXPLORE_OUTSIDE_H

#include <stdbool.h>

#include "runtime/comm/comm.h"
#include "runtime/progress/progress.h"
#include "tests/explore/run.h"

/* Who waits looks a few times before it waits in earnest, or not; then it sleeps, or looks for ever. */
enum outside_wait { OUTSIDE_SLEEPS, OUTSIDE_LOOKS_THEN_SLEEPS, OUTSIDE_LOOKS };

typedef struct {
    enum outside_wait wait;
    int ranks;
    tutti_comm *comms[RUN_MOST_RANKS]; /* each one's, by context; NULL where there are no active messages */
    bool refuses;                      /* the kernel may refuse to copy between ranks */
    bool maps;                         /* ranks can map what others show */
    bool impatient; /* before who waits rests, more time may have passed than it has patience for */
} outside_way;

/* Of a scenario, before all; before each of its runs. */
void outside_open(const outside_way *way);
void outside_reset(void);
const outside_way *outside_goes(void);
/* One round of progress of this rank's; how many events it saw. */
int outside_round(void);
/* The kernel's copies between ranks' memory; the dead have none. */
int explore_node_read(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes);
int explore_node_write(tti_node *node, int peer, uint64_t remote, const void *local, size_t bytes);
/* Waits for something new, as all sleepers do: looks once more behind the arming. */
void outside_rest(tti_ready_fn *ready, const void *argument);
/* Whether this rank has heard of a death. */
bool outside_is_told(void);
/* What the threads do that hear of a death: they tell the survivors, one after the other, and wake them. */
void outside_tell(void);

#endif

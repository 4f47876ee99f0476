/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that make collectives by the engine: which, in what order, and how they wait. */
#ifndef TESTS_EXPLORE_ENGINE_RUNS_H
#define TESTS_EXPLORE_ENGINE_RUNS_H

#include "runtime/node/segment.h"
#include "tests/explore/course_calls.h"
#include "tests/explore/outside.h"
#include "tests/explore/scenarios.h"

#define ENGINE_MOST_CALLS 5
#define ENGINE_MOST_COMMS 2

/* A program is of words of two characters, the second of which is the number of a call:
 *   s0  starts it, as a nonblocking call does: straight until a step has to wait
 *   e0  the same, by the engine alone
 *   p0  starts it as a persistent request, which is made when it is started first
 *   t0  makes a round of progress, as who tests it does
 *   w0  waits for it
 *   f0  gives the request up, which goes on
 *   b0  makes it as a blocking call
 *   d0  does not, for it cannot take part, and tells the others */
typedef struct {
    tti_node_shape shape;
    enum outside_wait wait;
    int order;                     /* the first so many ranks put all in order before they sleep */
    bool impatient, refuses, maps; /* outside.h */
    bool serves;                   /* ranks answer each other until all are through */
    int seconds; /* the last so many calls are made on a second communicator of the same ranks */
    int error;   /* with which calls on the first may fail; 0: by a death alone */
    const char *programs[RUN_MOST_RANKS]; /* of each rank; NULL: the first one's */
    course_call calls[ENGINE_MOST_CALLS];
} engine_plan;

/* Of a scenario whose plan is one of these. */
void engine_body(int rank);
void engine_open(const scenario *s);
void engine_reset(void);
void engine_close(void);

#endif

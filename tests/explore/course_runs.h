/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that make collectives straight: which, and how they wait. */
#ifndef TESTS_EXPLORE_COURSE_RUNS_H
#define TESTS_EXPLORE_COURSE_RUNS_H

#include "runtime/node/segment.h"
#include "tests/explore/course_calls.h"
#include "tests/explore/outside.h"
#include "tests/explore/scenarios.h"

#define COURSE_MOST_CALLS 6

typedef struct {
    tti_node_shape shape;
    enum outside_wait wait;
    int under_way; /* nonblocking calls, at most; 0: the calls are blocking ones */
    int order;     /* the first so many ranks put all in order before they sleep */
    course_call calls[COURSE_MOST_CALLS];
} course_plan;

/* Of a scenario whose plan is one of these. */
void course_body(int rank);
void course_open(const scenario *s);
void course_reset(void);
void course_close(void);

#endif

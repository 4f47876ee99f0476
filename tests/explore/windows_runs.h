/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that make operations on windows: what they are, and how the ranks go on. */
#ifndef TESTS_EXPLORE_WINDOWS_RUNS_H
#define TESTS_EXPLORE_WINDOWS_RUNS_H

#include "collectives/execute/windows.h"
#include "runtime/node/segment.h"
#include "tests/explore/scenarios.h"
#include "tests/explore/windows_steps.h"

#define WINDOWS_MOST_OPERATIONS 11

/* What a rank does that can go on with nothing. Who sleeps for windows alone looks behind the arming alone,
 * too: an earlier look would have said already that a window is wanted. */
enum windows_idle { LOOKS, SLEEPS_FOR_WINDOWS, SLEEPS };

typedef struct {
    tti_node_shape shape;
    enum windows_idle idle;
    int under_way; /* operations, at most */
    int order;     /* the first so many ranks put all in order before they sleep */
    windows_operation operations[WINDOWS_MOST_OPERATIONS];
} windows_plan;

/* One of so many ranks on a set of windows, as each run finds it; the caller frees it. */
tti_windows *windows_of_rank(int rank, int count, int set);

/* Of a scenario whose plan is one of these. */
void windows_body(int rank);
void windows_open(const scenario *s);
void windows_reset(void);
void windows_close(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What is explored. */
#ifndef TESTS_EXPLORE_SCENARIOS_H
#define TESTS_EXPLORE_SCENARIOS_H

#include "tests/explore/run.h"

typedef struct scenario {
    const char *name, *what;
    int coroutines;
    int mortal; /* of which one of the first so many may die */
    /* Deviations of the ordinary check: more take long. */
    unsigned deviations;
    run_body_fn *body;
    /* Prepares the memory that all runs begin with, and brings it back. */
    void (*open)(const struct scenario *s);
    void (*reset)(void);
    void (*close)(void);
    const void *plan; /* of the scenario's own file */
} scenario;

extern const scenario *const scenarios_mailbox,
    *const scenarios_copy, *const scenarios_windows, *const scenarios_course, *const scenarios_engine,
                                                                                  *const scenarios_sets;
extern const int scenarios_mailbox_count, scenarios_copy_count, scenarios_windows_count,
    scenarios_course_count, scenarios_engine_count, scenarios_sets_count;

#endif

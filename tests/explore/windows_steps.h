/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks do in the operations on windows that are explored. */
#ifndef TESTS_EXPLORE_WINDOWS_STEPS_H
#define TESTS_EXPLORE_WINDOWS_STEPS_H

#include "runtime/node/node_windows.h"

#define WINDOWS_MOST_STEPS 4
#define WINDOWS_MOST_POSTS 2

enum windows_pattern {
    SHARED = 1, /* each rank posts for all and reads what all have written */
    SPREAD,     /* the root alone posts, for all */
    BEHIND,     /* the same, and it writes behind the front of its window */
    HALVES,     /* twice */
    PASSED,     /* from the root to the next rank, and so on */
    COUNTED,    /* twice: each comes, and reads what the last to come has posted */
    BESIDE      /* each rank posts for all and reads what the next one has written */
};

typedef struct {
    enum windows_pattern pattern; /* 0: no operation */
    int root;
    enum tti_node_window_kind kind;
} windows_operation;

typedef struct {
    enum { END, POST, AWAIT, COME } what;
    int peer, post; /* peer: that of no rank is the last to come; post: of COME the time */
} windows_step;

/* Step number `i`, from 0, of a rank. */
windows_step windows_step_of(const windows_operation *operation, int ranks, int rank, int i);

#endif

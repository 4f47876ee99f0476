/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks pass with their posts in the operations on windows that are explored. */
#ifndef TESTS_EXPLORE_WINDOWS_PAYLOAD_H
#define TESTS_EXPLORE_WINDOWS_PAYLOAD_H

#include "collectives/execute/windows.h"
#include "tests/explore/windows_steps.h"

#define WINDOWS_WORDS 2 /* that a reader takes with each post */
/* Of a window. For parts: beside the word of the post the next rank's size and part, and those of one more
 * behind it. */
#define WINDOWS_BYTES (WINDOWS_MOST_POSTS * WINDOWS_WORDS * 8)
#define WINDOWS_PARTS_BYTES (TTI_NODE_WINDOW_BESIDE + WINDOWS_WORDS * 8)

/* An operation as one rank sees it. */
typedef struct {
    const tti_windows *windows;
    const tti_windows_use *use;
    const windows_operation *operation;
    int index; /* among the plan's */
} windows_passing;

/* Into the window of that rank, or of the last to come. */
void windows_put(const windows_passing *p, int rank, int post);
/* Out of it. */
void windows_take(const windows_passing *p, int of, int post, uint64_t got[WINDOWS_WORDS]);
/* Whether that is what was put there for this rank. */
void windows_compare(const windows_passing *p, int of, int post, const uint64_t got[WINDOWS_WORDS]);

#endif

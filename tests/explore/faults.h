/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults that are put into the code under test to see that the explorer finds them. Each changes one atomic
 * operation or copy, named by its function and word as the source has them; the code itself has no hooks. */
#ifndef TESTS_EXPLORE_FAULTS_H
#define TESTS_EXPLORE_FAULTS_H

#include <stdbool.h>

#include "tests/explore/memory.h"
#include "tests/explore/steps.h"

enum fault_kind {
    FAULT_RELAXED,   /* without any order */
    FAULT_DROPPED,   /* not done; a load finds 0 */
    FAULT_LATE,      /* a store: done behind this rank's next load; a copy: behind its next store */
    FAULT_LATE_READ, /* a copy: read and done behind its next store */
    FAULT_ONE_AHEAD, /* a load finds one more than there is */
    FAULT_NOT_ATOMIC /* an update is a load and a store */
};

typedef struct {
    const char *name;
    const char *function, *word;
    enum fault_kind kind;
    const char *scenario; /* in which it shows */
    enum memory_model model;
} fault;

extern const fault faults[];
extern const int faults_count;

/* The fault that is in force; NULL: none. */
void faults_set(const fault *f);
/* Whether the fault in force is of this kind and changes what stands here. */
bool faults_hit(enum fault_kind kind, const char *function, const char *word);
/* How often the fault in force has been met. */
unsigned long faults_met(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of a job as forked processes on this machine, with a pmi of files in a directory of the test's. */
#ifndef TESTS_FABRIC_RANKS_H
#define TESTS_FABRIC_RANKS_H

#include <stdbool.h>

#include "runtime/fabric/fabric.h"

/* Runs `body` in `ranks` processes and expects status 0 of each but `victim` (-1: none), which may die any
 * way, before patience ends. `set` are options ("TUTTI_NAME=value", NULL-ended). */
void run_ranks(int ranks, int victim, const char *const *set, void (*body)(const tti_job *job));
/* Waits for all ranks. */
void meet(void);
/* Hosts that the test pretends to have: ranks r with r % nodes on node r % nodes. Default 1. */
void pretend_nodes(int nodes);
/* Cards for which ranks ask are waited for as TUTTI_CONNECT_TIMEOUT says from now on, and not for ever; how
 * often that was in vain here. */
void let_questions_end(void);
int count_ended_questions(void);
/* All living processes of the job in this one's place, for a test that polls the fabric meanwhile. */
bool met(int *ticket);

#endif

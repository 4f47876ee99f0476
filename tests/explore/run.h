/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a scenario: its ranks are coroutines of one thread, of which one at a time goes on. */
#ifndef TESTS_EXPLORE_RUN_H
#define TESTS_EXPLORE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_MOST_RANKS 4

typedef void run_body_fn(int rank);

/* Runs `ranks` coroutines to their ends. One that is left over when all others have ended, and that waits for
 * a death (run_await_death()), ends too. False after a failure. */
bool run_ranks(run_body_fn *body, int ranks);
/* What was wrong in the last run. */
const char *run_failure(void);
/* Whether steps are printed. */
extern bool run_traced;

/* -- called inside a run -- */
/* The rank that goes on now; -1 outside a run. */
int run_rank(void);
/* A point of choice: another rank may go first, or this one may die. */
void run_step(void);
/* This rank has stored something new: who looks in vain looks again. */
void run_changed(void);
/* This rank looks in vain. */
void run_spin(void);
/* Sleeps until run_wake() of the same address. */
void run_sleep(const volatile void *at);
void run_wake(const volatile void *at);
/* Ends the run as a failure. */
void run_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
#define RUN_EXPECT(condition)                                                                                \
    do {                                                                                                     \
        if (!(condition)) run_fail("%s:%d: expected %s", __FILE__, __LINE__, #condition);                    \
    } while (0)
/* Prints a step where steps are printed. */
void run_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory of the code under test that each rank, a process elsewhere, is to have of its own, as it is now at
 * the beginning of each run. */
void run_keep(void *at, size_t bytes);
/* Lets one of the first `ranks` die at any step of its, in runs to come; 0: nobody. */
void run_let_die(int ranks);
/* The rank that died in this run, or -1. */
int run_dead(void);
/* For a rank that tells others of deaths: returns when one has died. */
void run_await_death(void);

#endif

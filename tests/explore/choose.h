/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices of a run. The plain run takes alternative 0 each time: a rank goes on for as long as it can, and
 * loads see what was stored last. Every other alternative is a deviation. A walk of all runs goes depth
 * first, with at most so many deviations in each; a random run deviates now and then; a replay as it is told.
 */
#ifndef TESTS_EXPLORE_CHOOSE_H
#define TESTS_EXPLORE_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All runs with at most so many deviations: begins with the plain one. */
void choose_all(unsigned deviations);
/* Random runs. */
void choose_randomly(uint64_t seed);
/* One run, from choose_tell()'s text. False if it is none. */
bool choose_again(const char *text);

/* To be called before each run. */
void choose_begin(void);
/* 0 … alternatives - 1. */
unsigned choose(unsigned alternatives);
/* Prepares the next run; false when all have been. */
bool choose_next(void);

/* The deviations of this run as "place=alternative,…"; "-" for none. */
void choose_tell(char *text, size_t room);
/* How many choices this run has made so far. */
unsigned choose_count(void);

#endif

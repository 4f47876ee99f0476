/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain accesses to shared memory. Two of different ranks to the same bytes, one of them a write, must be in
 * order: the later one's rank must have learnt, through atomics, that the earlier is over. Where they are
 * not, a reader may find old bytes, new ones or a mixture on some machine, even if it found the right ones
 * here. So a flag before its payload and a buffer used again too early are seen in any run that comes by.
 *
 * The compiler tells of every plain access (-fsanitize=thread; races_calls.c is what it calls). */
#ifndef TESTS_EXPLORE_RACES_H
#define TESTS_EXPLORE_RACES_H

#include <stdbool.h>
#include <stddef.h>

/* Memory that ranks share, from now on. */
void races_watch(const void *base, size_t bytes, const char *name);
void races_forget(void);
/* To be called before each run. */
void races_reset(void);
/* The rank that goes on reads or writes. */
void races_note(const volatile void *at, size_t bytes, bool write);

#endif

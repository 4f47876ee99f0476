/* SPDX-License-Identifier: BSD-3-Clause */
/* What the code under test calls: each of these may let another rank go first, and a load may see an older
 * value. Outside a run they act on memory at once. */
#ifndef TESTS_EXPLORE_STEPS_H
#define TESTS_EXPLORE_STEPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An atomic operation: on which word, and where it stands. */
typedef struct {
    const volatile void *at;
    size_t bytes;
    memory_order order;
    const char *function, *word; /* as they are called in the source */
} explore_access;

enum explore_update { EXPLORE_EXCHANGE, EXPLORE_ADD, EXPLORE_SUBTRACT, EXPLORE_OR, EXPLORE_AND };

uint64_t explore_load(const explore_access *access);
void explore_store(const explore_access *access, uint64_t value);
/* Returns what the word held. */
uint64_t explore_update(const explore_access *access, enum explore_update how, uint64_t operand);
/* The weak form may also fail without a cause. */
bool explore_exchange_if(const explore_access *access, void *expected, uint64_t value, bool weak);
void explore_fence(const explore_access *access);

/* memcpy(); accesses to shared memory are checked as all plain ones are (races.h). */
void *explore_copy(void *to, const void *from, size_t bytes, const char *function, const char *word);

/* memcmp(), likewise. */
int explore_compare(const void *one, const void *other, size_t bytes);

/* The caller has looked in vain and will look again: it goes on when another rank has stored something. */
void explore_pause(void);
/* The caller's time in ns, which passes by explore_pass() alone. */
int64_t explore_clock(void);
void explore_pass(int64_t ns);
/* sched_yield() and syscall() of the files under test: the latter takes futex calls alone, without limits of
 * time, so that a wake-up that is lost is a sleep without end. */
int explore_yield(void);
long explore_syscall(long number, ...);

/* To be called before each run. */
void explore_reset(void);

#endif

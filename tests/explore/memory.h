/* SPDX-License-Identifier: BSD-3-Clause */
/* What shared words may show to whom, as one of two machines has it.
 *
 * x86: a rank's stores wait in a queue of its own, in order; its own loads see them there. A fence, a locked
 * operation and a sequentially consistent store (which is one) empty it. When else entries come out is
 * decided no sooner than it matters: when another rank uses a word that the queue holds. All see what has
 * come out. Of two queues that hold the same word, the lower rank's goes first.
 *
 * arm: what C11 promises for the orders that the source asks for, and not more; so no machine that C11 runs
 * on shows anything else, but for loads that take their value from a later store of the same rank's future.
 * Each word keeps all its values. A load may see any that is not older than one which this rank has seen, or
 * knows of: by acquiring from a release, by fences, or by the order of sequentially consistent operations. An
 * update (exchange, add, …) sees the newest. The order of the stores to one word is the order in which they
 * are made.
 *
 * Both also keep for each rank which plain accesses of others have certainly happened before (races.h). */
#ifndef TESTS_EXPLORE_MEMORY_H
#define TESTS_EXPLORE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/explore/run.h"

#define MEMORY_MOST_WORDS 224

enum memory_model { MEMORY_X86, MEMORY_ARM };

/* For a rank: how far it knows of each other's plain accesses. */
typedef uint32_t memory_clock[RUN_MOST_RANKS];

/* How a machine does it. Words are numbered from 0. */
typedef struct {
    void (*reset)(void);
    /* The word's first use in a run. */
    void (*first)(int word, uint64_t value);
    /* How many values a load, or what an update reads, may have; 0 is the newest. To be called before load().
     */
    unsigned (*values)(int rank, int word, memory_order order, bool update);
    uint64_t (*load)(int rank, int word, memory_order order, unsigned which);
    void (*store)(int rank, int word, memory_order order, uint64_t value);
    /* Begun by load() with the same order; nobody comes between. */
    void (*update)(int rank, int word, memory_order order, uint64_t value);
    void (*fence)(int rank, memory_order order);
    /* All see everything. */
    void (*settle)(void);
    const uint32_t *(*clock)(int rank);
    bool spurious; /* a weak compare-and-exchange may fail without a cause */
} memory_machine;

extern const memory_machine memory_x86, memory_arm;
extern const memory_machine *memory;

void memory_open(enum memory_model model);
/* To be called before each run. */
void memory_reset(void);
void memory_settle(void);
/* The number of the word at an address. */
int memory_word(const volatile void *at, size_t bytes);
/* The word in real memory: what the last store left, whoever sees it. */
uint64_t memory_get(const volatile void *at, size_t bytes);
void memory_put(const volatile void *at, size_t bytes, uint64_t value);

static inline void memory_join_clocks(uint32_t *to, const uint32_t *from)
{
    for (int r = 0; r < RUN_MOST_RANKS; r++)
        if (from[r] > to[r]) to[r] = from[r];
}
static inline bool memory_releases(memory_order order)
{
    return order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst;
}
static inline bool memory_acquires(memory_order order)
{
    return order == memory_order_acquire || order == memory_order_consume || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads as the ranks of a node. */
#ifndef TESTS_UNIT_NODE_THREADS_H
#define TESTS_UNIT_NODE_THREADS_H

#include <pthread.h>

#include "runtime/base/options.h"
#include "runtime/node/segment.h"
#include "runtime/node/view.h"
#include "tests/unit/expect.h"

#define RANKS_MAX 24

typedef void rank_fn(tti_node *node);

typedef struct {
    rank_fn *run;
    tti_node *node;
} rank_of_threads;

static inline void *rank_main(void *argument)
{
    rank_of_threads *rank = argument;
    rank->run(rank->node);
    return NULL;
}

/* Runs `run` as each rank of a segment of the given shape, a thread each. */
static inline void run_ranks(const tti_node_shape *shape, rank_fn *run)
{
    const int ranks = (int)shape->ranks;
    rank_of_threads all[RANKS_MAX];
    pthread_t threads[RANKS_MAX];
    void *segment = NULL;
    for (int i = 0; i < ranks; i++) {
        all[i].run = run;
        EXPECT(tti_node_open_shaped(shape, i, &segment, &all[i].node) == 0);
    }
    for (int i = 0; i < ranks; i++)
        EXPECT(pthread_create(&threads[i], NULL, rank_main, &all[i]) == 0);
    for (int i = 0; i < ranks; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < ranks; i++)
        tti_node_close(all[i].node);
}

#endif

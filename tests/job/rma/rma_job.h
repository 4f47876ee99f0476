/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows on each kind of memory. */
#ifndef TESTS_JOB_RMA_JOB_H
#define TESTS_JOB_RMA_JOB_H

#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

typedef struct {
    unsigned char *base;
    tutti_window *window;
    int shared; /* from tutti_mem_alloc() */
} job_window;

static inline job_window job_window_open(size_t bytes, int shared)
{
    job_window w = {.shared = shared};
    void *base;
    if (shared)
        OK(tutti_mem_alloc(world, bytes, &base));
    else
        EXPECT((base = calloc(1, bytes + 1)) != NULL);
    w.base = base;
    OK(tutti_window_create(world, base, bytes, &w.window));
    return w;
}

static inline void job_window_close(job_window *w)
{
    if (w->shared) EXPECT(tutti_mem_free(w->base) == TUTTI_ERR_STATE);
    OK(tutti_window_free(&w->window));
    EXPECT(w->window == NULL);
    if (w->shared)
        OK(tutti_mem_free(w->base));
    else
        free(w->base);
}

#endif

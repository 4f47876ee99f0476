/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CONTEXT_H
#define BENCH_CONTEXT_H

#include "bench/clock_sync.h"
#include "bench/command_line.h"

/* What the loop needs to know of the job; the same on every rank but for `offset`. */
typedef struct {
    const bench_settings *settings;
    bench_layout layout;
    enum bench_sync sync; /* never BENCH_SYNC_AUTO */
    int64_t offset;       /* this rank's clock minus rank 0's, in ns, when this size was begun */
    int64_t clock_error;  /* the worst bound on an offset's error so far (rank 0 alone) */
    int cases;            /* so far */
    int64_t begun_ns;     /* when the first was begun */
} bench_context;

#endif

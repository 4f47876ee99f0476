/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the port to Tutti share. */
#ifndef BENCH_PORT_TUTTI_H
#define BENCH_PORT_TUTTI_H

#include "bench/port.h"
#include "tutti/tutti.h"

struct port_slots {
    int count;
    tutti_request *requests[];
};

struct port_parts {
    size_t *counts, *offsets; /* both in `numbers` */
    size_t numbers[];
};

extern tutti_comm *bench_world, *bench_grid; /* the latter NULL until port_grid_open() */

/* Ends the job with what `call` returned. */
void bench_fail(int code, const char *call) __attribute__((noreturn));

static inline void must(int code, const char *call)
{
    if (code != TUTTI_SUCCESS) bench_fail(code, call);
}

#endif

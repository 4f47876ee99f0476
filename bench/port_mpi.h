/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the port to MPI share. MPI's default error handler ends the job and says what failed, so
 * that results need no looking at. */
#ifndef BENCH_PORT_MPI_H
#define BENCH_PORT_MPI_H

#include <limits.h>
#include <mpi.h>

#include "bench/port.h"

struct port_slots {
    int count;
    MPI_Request requests[];
};

struct port_parts {
    int *counts, *offsets; /* both in `numbers` */
    MPI_Aint *places;      /* offsets once more */
    MPI_Datatype *bytes;   /* MPI_BYTE for each */
    int numbers[];
};

extern MPI_Comm bench_grid; /* MPI_COMM_NULL until port_grid_open() */

/* Counts are int in MPI-3. */
static inline int count_of(size_t count)
{
    if (count > INT_MAX) port_abort(2, "mpi-bench: MPI counts end at 2147483647: choose smaller --sizes");
    return (int)count;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The port to MPI: collectives, the persistent ones where they are (MPI 4, or Open MPI's extension). */
#include <stdlib.h>

#include "bench/port_mpi.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define PERSISTENT(name) MPI_##name
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define PERSISTENT(name) MPIX_##name
#endif

static MPI_Datatype type_of(enum port_type type)
{
    switch (type) {
    case PORT_INT32: return MPI_INT32_T;
    case PORT_INT64: return MPI_INT64_T;
    case PORT_FLOAT: return MPI_FLOAT;
    default: return MPI_DOUBLE;
    }
}

static MPI_Op op_of(enum port_op op)
{
    switch (op) {
    case PORT_PROD: return MPI_PROD;
    case PORT_MIN: return MPI_MIN;
    case PORT_MAX: return MPI_MAX;
    default: return MPI_SUM;
    }
}

bool port_has(enum port_form form)
{
#ifdef PERSISTENT
    return form < PORT_FORMS;
#else
    return form == PORT_BLOCKING || form == PORT_NONBLOCKING;
#endif
}

/* Drops the parentheses of a list of arguments. */
#define BARE(...) __VA_ARGS__

void port_collective(const port_call *c)
{
    int n = count_of(c->count);
    switch (c->kind) {
#define COLLECTIVE(NAME, name, Name, what, from, to, which, bus, help, tutti, mpi)                           \
    case PORT_##NAME:                                                                                        \
        MPI_##Name(BARE mpi);                                                                                \
        break;
#include "bench/collectives_measured.h"
#undef COLLECTIVE
    case PORT_KINDS: break;
    }
}

void port_icollective(const port_call *c, port_slots *slots, int slot)
{
    int n = count_of(c->count);
    MPI_Request *request = &slots->requests[slot];
    switch (c->kind) {
#define COLLECTIVE(NAME, name, Name, what, from, to, which, bus, help, tutti, mpi)                           \
    case PORT_##NAME:                                                                                        \
        MPI_I##name(BARE mpi, request);                                                                      \
        break;
#include "bench/collectives_measured.h"
#undef COLLECTIVE
    case PORT_KINDS: break;
    }
}

#ifdef PERSISTENT
void port_collective_init(const port_call *c, port_slots *slots, int slot)
{
    int n = count_of(c->count);
    MPI_Request *request = &slots->requests[slot];
    switch (c->kind) {
#define COLLECTIVE(NAME, name, Name, what, from, to, which, bus, help, tutti, mpi)                           \
    case PORT_##NAME:                                                                                        \
        PERSISTENT(Name##_init)(BARE mpi, MPI_INFO_NULL, request);                                           \
        break;
#include "bench/collectives_measured.h"
#undef COLLECTIVE
    case PORT_KINDS: break;
    }
}
#else
void port_collective_init(const port_call *c, port_slots *slots, int slot)
{
    (void)c;
    (void)slots;
    (void)slot;
    port_abort(1, "mpi-bench: this MPI has no persistent collectives");
}
#endif

void port_grid_open(int rows)
{
    const int extents[] = {rows, port_size() / rows}, around[] = {1, 1};
    if (bench_grid == MPI_COMM_NULL) MPI_Cart_create(MPI_COMM_WORLD, 2, extents, around, 0, &bench_grid);
}

port_parts *port_parts_open(int number, size_t count)
{
    const size_t size = (size_t)number;
    port_parts *parts = malloc(sizeof *parts + 2 * size * sizeof parts->numbers[0]);
    MPI_Datatype *bytes = malloc(size * sizeof *bytes);
    MPI_Aint *places = malloc(size * sizeof *places);
    if (!parts || !bytes || !places) port_abort(1, "mpi-bench: no memory for a table of parts");
    parts->counts = parts->numbers;
    parts->offsets = parts->numbers + size;
    parts->bytes = bytes;
    parts->places = places;
    for (size_t r = 0; r < size; r++) {
        parts->counts[r] = count_of(count);
        parts->offsets[r] = count_of(r * count);
        places[r] = (MPI_Aint)(r * count);
        bytes[r] = MPI_BYTE;
    }
    return parts;
}

void port_parts_close(port_parts *parts)
{
    if (parts) free(parts->bytes);
    if (parts) free(parts->places);
    free(parts);
}

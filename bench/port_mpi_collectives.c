/* SPDX-License-Identifier: BSD-3-Clause */
/* The port to MPI: collectives, the persistent ones where they are (MPI 4, or Open MPI's extension). */
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

void port_collective(const port_call *c)
{
    int n = count_of(c->count);
    switch (c->kind) {
    case PORT_BARRIER: MPI_Barrier(MPI_COMM_WORLD); break;
    case PORT_BCAST: MPI_Bcast(c->recv, n, MPI_BYTE, c->root, MPI_COMM_WORLD); break;
    case PORT_REDUCE:
        MPI_Reduce(c->send, c->recv, n, type_of(c->type), op_of(c->op), c->root, MPI_COMM_WORLD);
        break;
    case PORT_ALLREDUCE:
        MPI_Allreduce(c->send, c->recv, n, type_of(c->type), op_of(c->op), MPI_COMM_WORLD);
        break;
    case PORT_ALLGATHER: MPI_Allgather(c->send, n, MPI_BYTE, c->recv, n, MPI_BYTE, MPI_COMM_WORLD); break;
    }
}

void port_icollective(const port_call *c, port_slots *slots, int slot)
{
    int n = count_of(c->count);
    MPI_Request *request = &slots->requests[slot];
    switch (c->kind) {
    case PORT_BARRIER: MPI_Ibarrier(MPI_COMM_WORLD, request); break;
    case PORT_BCAST: MPI_Ibcast(c->recv, n, MPI_BYTE, c->root, MPI_COMM_WORLD, request); break;
    case PORT_REDUCE:
        MPI_Ireduce(c->send, c->recv, n, type_of(c->type), op_of(c->op), c->root, MPI_COMM_WORLD, request);
        break;
    case PORT_ALLREDUCE:
        MPI_Iallreduce(c->send, c->recv, n, type_of(c->type), op_of(c->op), MPI_COMM_WORLD, request);
        break;
    case PORT_ALLGATHER:
        MPI_Iallgather(c->send, n, MPI_BYTE, c->recv, n, MPI_BYTE, MPI_COMM_WORLD, request);
        break;
    }
}

#ifdef PERSISTENT
void port_collective_init(const port_call *c, port_slots *slots, int slot)
{
    int n = count_of(c->count);
    MPI_Request *request = &slots->requests[slot];
    MPI_Datatype type = type_of(c->type);
    MPI_Op op = op_of(c->op);
    switch (c->kind) {
    case PORT_BARRIER: PERSISTENT(Barrier_init)(MPI_COMM_WORLD, MPI_INFO_NULL, request); break;
    case PORT_BCAST:
        PERSISTENT(Bcast_init)(c->recv, n, MPI_BYTE, c->root, MPI_COMM_WORLD, MPI_INFO_NULL, request);
        break;
    case PORT_REDUCE:
        PERSISTENT(Reduce_init)
        (c->send, c->recv, n, type, op, c->root, MPI_COMM_WORLD, MPI_INFO_NULL, request);
        break;
    case PORT_ALLREDUCE:
        PERSISTENT(Allreduce_init)(c->send, c->recv, n, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, request);
        break;
    case PORT_ALLGATHER:
        PERSISTENT(Allgather_init)
        (c->send, n, MPI_BYTE, c->recv, n, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, request);
        break;
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

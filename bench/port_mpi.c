/* SPDX-License-Identifier: BSD-3-Clause */
/* The port to MPI: MPI-3, and the persistent collectives where they are (MPI 4, or Open MPI's extension). */
#include "bench/port.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define PERSISTENT(name) MPI_##name
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define PERSISTENT(name) MPIX_##name
#endif

struct port_slots {
    int count;
    MPI_Request requests[];
};

struct port_window {
    MPI_Win handle;
};

/* MPI's default error handler ends the job and says what failed, so that results need no looking at. Counts
 * are int in MPI-3. */
static int count_of(size_t count)
{
    if (count > INT_MAX) port_abort(2, "mpi-bench: MPI counts end at 2147483647: choose smaller --sizes");
    return (int)count;
}

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

int port_init(int *argc, char ***argv)
{
    return MPI_Init(argc, argv);
}

void port_finalize(void)
{
    MPI_Finalize();
}

void port_abort(int code, const char *why)
{
    fprintf(stderr, "%s\n", why);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, code);
    abort();
}

const char *port_program(void)
{
    return "mpi-bench, the loop of tutti-bench over MPI";
}

/* The first line of what the library says of itself, cut to name and version. */
const char *port_name(void)
{
    static char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(name, &length);
#ifdef MPICH_VERSION
    snprintf(name, sizeof name, "MPICH %s", MPICH_VERSION);
#else
    name[strcspn(name, ",\n")] = '\0';
    if (strncmp(name, "Open MPI v", 10) == 0) memmove(name + 9, name + 10, strlen(name + 10) + 1);
#endif
    return name;
}

int port_rank(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int port_size(void)
{
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

void port_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

void port_send(const void *buf, size_t bytes, int dest, int tag)
{
    MPI_Send(buf, count_of(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD);
}

void port_recv(void *buf, size_t bytes, int source, int tag)
{
    MPI_Recv(buf, count_of(bytes), MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

port_slots *port_slots_open(int count)
{
    port_slots *slots = malloc(sizeof *slots + (size_t)count * sizeof slots->requests[0]);
    if (!slots) port_abort(1, "mpi-bench: no memory for requests");
    slots->count = count;
    for (int i = 0; i < count; i++)
        slots->requests[i] = MPI_REQUEST_NULL;
    return slots;
}

void port_slots_close(port_slots *slots)
{
    free(slots);
}

void port_isend(port_slots *slots, int slot, const void *buf, size_t bytes, int dest, int tag)
{
    MPI_Isend(buf, count_of(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD, &slots->requests[slot]);
}

void port_irecv(port_slots *slots, int slot, void *buf, size_t bytes, int source, int tag)
{
    MPI_Irecv(buf, count_of(bytes), MPI_BYTE, source, tag, MPI_COMM_WORLD, &slots->requests[slot]);
}

void port_waitall(port_slots *slots, int count)
{
    if (count == 1)
        MPI_Wait(&slots->requests[0], MPI_STATUS_IGNORE);
    else
        MPI_Waitall(count, slots->requests, MPI_STATUSES_IGNORE);
}

port_window *port_window_open(size_t bytes, void **base)
{
    port_window *window = malloc(sizeof *window);
    if (!window) port_abort(1, "mpi-bench: no memory for a window");
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, base, &window->handle);
    memset(*base, 0, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window->handle);
    return window;
}

void port_window_close(port_window *window)
{
    MPI_Win_unlock_all(window->handle);
    MPI_Win_free(&window->handle);
    free(window);
}

void port_put(port_window *window, const void *local, size_t bytes, int target, size_t offset)
{
    MPI_Put(local, count_of(bytes), MPI_BYTE, target, (MPI_Aint)offset, count_of(bytes), MPI_BYTE,
            window->handle);
}

void port_iget(port_window *window, port_slots *slots, int slot, void *local, size_t bytes, int target,
               size_t offset)
{
    MPI_Rget(local, count_of(bytes), MPI_BYTE, target, (MPI_Aint)offset, count_of(bytes), MPI_BYTE,
             window->handle, &slots->requests[slot]);
}

void port_get(port_window *window, void *local, size_t bytes, int target, size_t offset)
{
    MPI_Get(local, count_of(bytes), MPI_BYTE, target, (MPI_Aint)offset, count_of(bytes), MPI_BYTE,
            window->handle);
    MPI_Win_flush(target, window->handle);
}

void port_flush(port_window *window, int target)
{
    MPI_Win_flush(target, window->handle);
}

int64_t port_fetch_add(port_window *window, int64_t add, int target, size_t offset)
{
    int64_t old = 0;
    MPI_Fetch_and_op(&add, &old, MPI_INT64_T, target, (MPI_Aint)offset, MPI_SUM, window->handle);
    MPI_Win_flush(target, window->handle);
    return old;
}

int64_t port_compare_swap(port_window *window, int64_t compare, int64_t desired, int target, size_t offset)
{
    int64_t old = 0;
    MPI_Compare_and_swap(&desired, &compare, &old, MPI_INT64_T, target, (MPI_Aint)offset, window->handle);
    MPI_Win_flush(target, window->handle);
    return old;
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

void port_start(port_slots *slots, int slot)
{
    MPI_Start(&slots->requests[slot]);
}

void port_release(port_slots *slots, int slot)
{
    MPI_Request_free(&slots->requests[slot]);
}

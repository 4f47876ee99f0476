/* SPDX-License-Identifier: BSD-3-Clause */
/* The port to MPI: the job, messages and one-sided access, of MPI-3. */
#include "bench/port_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct port_window {
    MPI_Win handle;
};

int port_init(int *argc, char ***argv)
{
    return MPI_Init(argc, argv);
}

MPI_Comm bench_grid = MPI_COMM_NULL;

void port_finalize(void)
{
    if (bench_grid != MPI_COMM_NULL) MPI_Comm_free(&bench_grid);
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

/* bench/compare has just built it. */
const char *port_loop(void)
{
    return NULL;
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

void port_sendrecv(const void *send, int dest, void *recv, int source, size_t bytes, int tag)
{
    MPI_Sendrecv(send, count_of(bytes), MPI_BYTE, dest, tag, recv, count_of(bytes), MPI_BYTE, source, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void *port_mem_alloc(size_t bytes)
{
    void *base = NULL;
    MPI_Alloc_mem((MPI_Aint)(bytes ? bytes : 1), MPI_INFO_NULL, &base);
    return base;
}

void port_mem_free(void *base)
{
    MPI_Free_mem(base);
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

void port_send_init(port_slots *slots, int slot, const void *buf, size_t bytes, int dest, int tag)
{
    MPI_Send_init(buf, count_of(bytes), MPI_BYTE, dest, tag, MPI_COMM_WORLD, &slots->requests[slot]);
}

void port_recv_init(port_slots *slots, int slot, void *buf, size_t bytes, int source, int tag)
{
    MPI_Recv_init(buf, count_of(bytes), MPI_BYTE, source, tag, MPI_COMM_WORLD, &slots->requests[slot]);
}

void port_startall(port_slots *slots, int count)
{
    MPI_Startall(count, slots->requests);
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

void port_start(port_slots *slots, int slot)
{
    MPI_Start(&slots->requests[slot]);
}

void port_release(port_slots *slots, int slot)
{
    MPI_Request_free(&slots->requests[slot]);
}

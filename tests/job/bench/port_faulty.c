/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with faults: an allreduce of floats leaves element 5 wrong at rank 2, other collectives of 72
 * bytes the last of what they bring there; a bcast of 511 bytes takes 20 ms longer, which is more than other
 * programs add on busy processors; a persistent collective of 80 bytes moves something at its first start
 * alone; and of messages of 96 bytes the one of slot 3, and what one-sided access has at the fourth place,
 * goes astray. Linked in between by --wrap. */
#include <stdbool.h>
#include <time.h>

#include "bench/port.h"

void __real_port_collective(const port_call *call);
void __wrap_port_collective(const port_call *call);
void __real_port_collective_init(const port_call *call, port_slots *slots, int slot);
void __wrap_port_collective_init(const port_call *call, port_slots *slots, int slot);
void __real_port_start(port_slots *slots, int slot);
void __wrap_port_start(port_slots *slots, int slot);

void __real_port_irecv(port_slots *slots, int slot, void *buf, size_t bytes, int from, int tag);
void __wrap_port_irecv(port_slots *slots, int slot, void *buf, size_t bytes, int from, int tag);
void __real_port_put(port_window *window, const void *buf, size_t bytes, int target, size_t offset);
void __wrap_port_put(port_window *window, const void *buf, size_t bytes, int target, size_t offset);
void __real_port_iget(port_window *window, port_slots *slots, int slot, void *buf, size_t bytes, int target,
                      size_t offset);
void __wrap_port_iget(port_window *window, port_slots *slots, int slot, void *buf, size_t bytes, int target,
                      size_t offset);

enum { ASTRAY_BYTES = 96, ASTRAY_SLOT = 3 };

static char astray[ASTRAY_BYTES];
static bool starts_once, started;

/* What `count` is of: bytes, or elements. */
static size_t unit(const port_call *call)
{
    switch (call->kind) {
    case PORT_REDUCE:
    case PORT_SCAN:
    case PORT_EXSCAN:
    case PORT_REDUCE_SCATTER_BLOCK:
    case PORT_REDUCE_SCATTER: return sizeof(float);
    default: return 1;
    }
}

/* Bytes of recv that are there at the end. */
static size_t brought(const port_call *call)
{
    size_t parts = 1;
    switch (call->kind) {
    case PORT_ALLGATHER:
    case PORT_GATHER:
    case PORT_ALLTOALL:
    case PORT_ALLGATHERV:
    case PORT_ALLTOALLV:
    case PORT_ALLTOALLW:
    case PORT_GATHERV: parts = (size_t)port_size(); break;
    case PORT_NEIGHBOR_ALLGATHER:
    case PORT_NEIGHBOR_ALLGATHERV:
    case PORT_NEIGHBOR_ALLTOALL:
    case PORT_NEIGHBOR_ALLTOALLV:
    case PORT_NEIGHBOR_ALLTOALLW: parts = 4; break;
    default: break;
    }
    return call->count * unit(call) * parts;
}

static bool has_72_bytes(const port_call *call)
{
    switch (call->kind) {
    case PORT_REDUCE:
    case PORT_SCAN:
    case PORT_EXSCAN:
    case PORT_REDUCE_SCATTER_BLOCK:
    case PORT_REDUCE_SCATTER: return call->type == PORT_FLOAT && call->count * unit(call) == 72;
    case PORT_BCAST:
    case PORT_ALLGATHER:
    case PORT_GATHER:
    case PORT_SCATTER:
    case PORT_ALLTOALL:
    case PORT_ALLGATHERV:
    case PORT_ALLTOALLV:
    case PORT_ALLTOALLW:
    case PORT_GATHERV:
    case PORT_SCATTERV:
    case PORT_NEIGHBOR_ALLGATHER:
    case PORT_NEIGHBOR_ALLGATHERV:
    case PORT_NEIGHBOR_ALLTOALL:
    case PORT_NEIGHBOR_ALLTOALLV:
    case PORT_NEIGHBOR_ALLTOALLW: return call->count == 72;
    default: return false;
    }
}

void __wrap_port_collective(const port_call *call)
{
    const struct timespec delay = {.tv_nsec = 20000000};
    __real_port_collective(call);
    if (call->kind == PORT_BCAST && call->count == 511) nanosleep(&delay, NULL);
    if (call->kind == PORT_ALLREDUCE && call->type == PORT_FLOAT && call->count > 5 && port_rank() == 2)
        ((float *)call->recv)[5] += 1;
    if (has_72_bytes(call) && port_rank() == 2) ((unsigned char *)call->recv)[brought(call) - 1] ^= 1;
}

void __wrap_port_collective_init(const port_call *call, port_slots *slots, int slot)
{
    __real_port_collective_init(call, slots, slot);
    starts_once = call->count == 80;
    started = false;
}

void __wrap_port_start(port_slots *slots, int slot)
{
    if (!starts_once || !started) __real_port_start(slots, slot);
    started = true;
}

void __wrap_port_irecv(port_slots *slots, int slot, void *buf, size_t bytes, int from, int tag)
{
    const bool lost = bytes == ASTRAY_BYTES && slot == ASTRAY_SLOT;
    __real_port_irecv(slots, slot, lost ? astray : buf, bytes, from, tag);
}

void __wrap_port_put(port_window *window, const void *buf, size_t bytes, int target, size_t offset)
{
    const bool lost = bytes == ASTRAY_BYTES && offset == ASTRAY_SLOT * bytes;
    __real_port_put(window, buf, bytes, target, lost ? 0 : offset);
}

void __wrap_port_iget(port_window *window, port_slots *slots, int slot, void *buf, size_t bytes, int target,
                      size_t offset)
{
    const bool lost = bytes == ASTRAY_BYTES && slot == ASTRAY_SLOT;
    __real_port_iget(window, slots, slot, lost ? astray : buf, bytes, target, offset);
}

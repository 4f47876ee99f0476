/* SPDX-License-Identifier: BSD-3-Clause */
/* The port to Tutti. */
#include "bench/port.h"

#include <stdio.h>
#include <stdlib.h>

#include "tutti/tutti.h"

struct port_slots {
    int count;
    tutti_request *requests[];
};

struct port_window {
    tutti_window *handle;
    void *base;
};

static tutti_comm *world;

static const tutti_type types[PORT_TYPES] = {TUTTI_INT32, TUTTI_INT64, TUTTI_FLOAT, TUTTI_DOUBLE};

/* Not a table: the handles are casts, which C does not take for constants. */
static tutti_op *op_of(enum port_op op)
{
    switch (op) {
    case PORT_PROD: return TUTTI_PROD;
    case PORT_MIN: return TUTTI_MIN;
    case PORT_MAX: return TUTTI_MAX;
    default: return TUTTI_SUM;
    }
}

static void must(int code, const char *call)
{
    char text[1024];
    if (code == TUTTI_SUCCESS) return;
    snprintf(text, sizeof text, "tutti-bench: %s: %s: %s", call, tutti_strerror(code), tutti_error_detail());
    tutti_abort(1, text);
}

int port_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    int code = tutti_init(&world, NULL);
    if (code != TUTTI_SUCCESS)
        fprintf(stderr, "tutti-bench: tutti_init: %s: %s\n", tutti_strerror(code), tutti_error_detail());
    return code;
}

void port_finalize(void)
{
    must(tutti_finalize(), "tutti_finalize");
}

void port_abort(int code, const char *why)
{
    tutti_abort(code, why);
}

const char *port_program(void)
{
    static char name[64];
    snprintf(name, sizeof name, "tutti-bench %d.%d.%d", TUTTI_VERSION_MAJOR, TUTTI_VERSION_MINOR,
             TUTTI_VERSION_PATCH);
    return name;
}

const char *port_name(void)
{
    static char name[64];
    snprintf(name, sizeof name, "Tutti %s", tutti_version());
    return name;
}

int port_rank(void)
{
    return tutti_comm_rank(world);
}

int port_size(void)
{
    return tutti_comm_size(world);
}

void port_barrier(void)
{
    must(tutti_barrier(world), "tutti_barrier");
}

void port_send(const void *buf, size_t bytes, int dest, int tag)
{
    must(tutti_send(world, buf, bytes, dest, tag), "tutti_send");
}

void port_recv(void *buf, size_t bytes, int source, int tag)
{
    must(tutti_recv(world, buf, bytes, source, tag, NULL), "tutti_recv");
}

port_slots *port_slots_open(int count)
{
    port_slots *slots = calloc(1, sizeof *slots + (size_t)count * sizeof slots->requests[0]);
    if (!slots) tutti_abort(1, "tutti-bench: no memory for requests");
    slots->count = count;
    return slots;
}

void port_slots_close(port_slots *slots)
{
    free(slots);
}

void port_isend(port_slots *slots, int slot, const void *buf, size_t bytes, int dest, int tag)
{
    must(tutti_isend(world, buf, bytes, dest, tag, &slots->requests[slot]), "tutti_isend");
}

void port_irecv(port_slots *slots, int slot, void *buf, size_t bytes, int source, int tag)
{
    must(tutti_irecv(world, buf, bytes, source, tag, &slots->requests[slot]), "tutti_irecv");
}

void port_waitall(port_slots *slots, int count)
{
    if (count == 1)
        must(tutti_wait(&slots->requests[0], NULL), "tutti_wait");
    else
        must(tutti_waitall(count, slots->requests, NULL), "tutti_waitall");
}

port_window *port_window_open(size_t bytes, void **base)
{
    port_window *window = calloc(1, sizeof *window);
    if (!window) tutti_abort(1, "tutti-bench: no memory for a window");
    must(tutti_mem_alloc(world, bytes, &window->base), "tutti_mem_alloc");
    must(tutti_window_create(world, window->base, bytes, &window->handle), "tutti_window_create");
    *base = window->base;
    return window;
}

void port_window_close(port_window *window)
{
    must(tutti_window_free(&window->handle), "tutti_window_free");
    must(tutti_mem_free(window->base), "tutti_mem_free");
    free(window);
}

void port_put(port_window *window, const void *local, size_t bytes, int target, size_t offset)
{
    must(tutti_put(window->handle, local, bytes, target, offset, NULL), "tutti_put");
}

void port_iget(port_window *window, port_slots *slots, int slot, void *local, size_t bytes, int target,
               size_t offset)
{
    must(tutti_get(window->handle, local, bytes, target, offset, &slots->requests[slot]), "tutti_get");
}

void port_get(port_window *window, void *local, size_t bytes, int target, size_t offset)
{
    must(tutti_get(window->handle, local, bytes, target, offset, NULL), "tutti_get");
}

void port_flush(port_window *window, int target)
{
    must(tutti_flush(window->handle, target), "tutti_flush");
}

int64_t port_fetch_add(port_window *window, int64_t add, int target, size_t offset)
{
    int64_t old = 0;
    must(tutti_fetch_op(window->handle, &add, &old, TUTTI_INT64, TUTTI_SUM, target, offset),
         "tutti_fetch_op");
    return old;
}

int64_t port_compare_swap(port_window *window, int64_t compare, int64_t desired, int target, size_t offset)
{
    int64_t old = 0;
    must(tutti_compare_swap(window->handle, &compare, &desired, &old, TUTTI_INT64, target, offset),
         "tutti_compare_swap");
    return old;
}

bool port_has(enum port_form form)
{
    return form < PORT_FORMS;
}

void port_collective(const port_call *c)
{
    switch (c->kind) {
    case PORT_BARRIER: must(tutti_barrier(world), "tutti_barrier"); break;
    case PORT_BCAST: must(tutti_bcast(world, c->recv, c->count, c->root), "tutti_bcast"); break;
    case PORT_REDUCE:
        must(tutti_reduce(world, c->send, c->recv, c->count, types[c->type], op_of(c->op), c->root),
             "tutti_reduce");
        break;
    case PORT_ALLREDUCE:
        must(tutti_allreduce(world, c->send, c->recv, c->count, types[c->type], op_of(c->op)),
             "tutti_allreduce");
        break;
    case PORT_ALLGATHER: must(tutti_allgather(world, c->send, c->recv, c->count), "tutti_allgather"); break;
    }
}

void port_icollective(const port_call *c, port_slots *slots, int slot)
{
    tutti_request **request = &slots->requests[slot];
    switch (c->kind) {
    case PORT_BARRIER: must(tutti_ibarrier(world, request), "tutti_ibarrier"); break;
    case PORT_BCAST: must(tutti_ibcast(world, c->recv, c->count, c->root, request), "tutti_ibcast"); break;
    case PORT_REDUCE:
        must(tutti_ireduce(world, c->send, c->recv, c->count, types[c->type], op_of(c->op), c->root, request),
             "tutti_ireduce");
        break;
    case PORT_ALLREDUCE:
        must(tutti_iallreduce(world, c->send, c->recv, c->count, types[c->type], op_of(c->op), request),
             "tutti_iallreduce");
        break;
    case PORT_ALLGATHER:
        must(tutti_iallgather(world, c->send, c->recv, c->count, request), "tutti_iallgather");
        break;
    }
}

void port_collective_init(const port_call *c, port_slots *slots, int slot)
{
    tutti_request **request = &slots->requests[slot];
    switch (c->kind) {
    case PORT_BARRIER: must(tutti_barrier_init(world, request), "tutti_barrier_init"); break;
    case PORT_BCAST:
        must(tutti_bcast_init(world, c->recv, c->count, c->root, request), "tutti_bcast_init");
        break;
    case PORT_REDUCE:
        must(tutti_reduce_init(world, c->send, c->recv, c->count, types[c->type], op_of(c->op), c->root,
                               request),
             "tutti_reduce_init");
        break;
    case PORT_ALLREDUCE:
        must(tutti_allreduce_init(world, c->send, c->recv, c->count, types[c->type], op_of(c->op), request),
             "tutti_allreduce_init");
        break;
    case PORT_ALLGATHER:
        must(tutti_allgather_init(world, c->send, c->recv, c->count, request), "tutti_allgather_init");
        break;
    }
}

void port_start(port_slots *slots, int slot)
{
    must(tutti_start(slots->requests[slot]), "tutti_start");
}

void port_release(port_slots *slots, int slot)
{
    must(tutti_request_free(&slots->requests[slot]), "tutti_request_free");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The port to Tutti: the job, messages and one-sided access. */
#include "bench/port_tutti.h"

#include <stdio.h>
#include <stdlib.h>

#include "loop_hash.h"

struct port_window {
    tutti_window *handle;
    void *base;
};

tutti_comm *bench_world, *bench_grid;

void bench_fail(int code, const char *call)
{
    char text[1024];
    snprintf(text, sizeof text, "tutti-bench: %s: %s: %s", call, tutti_strerror(code), tutti_error_detail());
    tutti_abort(1, text);
}

int port_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    int code = tutti_init(&bench_world, NULL);
    if (code != TUTTI_SUCCESS)
        fprintf(stderr, "tutti-bench: tutti_init: %s: %s\n", tutti_strerror(code), tutti_error_detail());
    return code;
}

void port_finalize(void)
{
    if (bench_grid != NULL) must(tutti_comm_free(&bench_grid), "tutti_comm_free");
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

const char *port_loop(void)
{
    return BENCH_LOOP_HASH;
}

const char *port_name(void)
{
    static char name[64];
    snprintf(name, sizeof name, "Tutti %s", tutti_version());
    return name;
}

int port_rank(void)
{
    return tutti_comm_rank(bench_world);
}

int port_size(void)
{
    return tutti_comm_size(bench_world);
}

void port_barrier(void)
{
    must(tutti_barrier(bench_world), "tutti_barrier");
}

void port_send(const void *buf, size_t bytes, int dest, int tag)
{
    must(tutti_send(bench_world, buf, bytes, dest, tag), "tutti_send");
}

void port_recv(void *buf, size_t bytes, int source, int tag)
{
    must(tutti_recv(bench_world, buf, bytes, source, tag, NULL), "tutti_recv");
}

void port_sendrecv(const void *send, int dest, void *recv, int source, size_t bytes, int tag)
{
    must(tutti_sendrecv(bench_world, send, bytes, dest, tag, recv, bytes, source, tag, NULL),
         "tutti_sendrecv");
}

void *port_mem_alloc(size_t bytes)
{
    void *base = NULL;
    must(tutti_mem_alloc(bench_world, bytes, &base), "tutti_mem_alloc");
    return base;
}

void port_mem_free(void *base)
{
    must(tutti_mem_free(base), "tutti_mem_free");
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
    must(tutti_isend(bench_world, buf, bytes, dest, tag, &slots->requests[slot]), "tutti_isend");
}

void port_irecv(port_slots *slots, int slot, void *buf, size_t bytes, int source, int tag)
{
    must(tutti_irecv(bench_world, buf, bytes, source, tag, &slots->requests[slot]), "tutti_irecv");
}

void port_send_init(port_slots *slots, int slot, const void *buf, size_t bytes, int dest, int tag)
{
    must(tutti_send_init(bench_world, buf, bytes, dest, tag, &slots->requests[slot]), "tutti_send_init");
}

void port_recv_init(port_slots *slots, int slot, void *buf, size_t bytes, int source, int tag)
{
    must(tutti_recv_init(bench_world, buf, bytes, source, tag, &slots->requests[slot]), "tutti_recv_init");
}

void port_startall(port_slots *slots, int count)
{
    must(tutti_startall(count, slots->requests), "tutti_startall");
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
    window->base = port_mem_alloc(bytes);
    must(tutti_window_create(bench_world, window->base, bytes, &window->handle), "tutti_window_create");
    *base = window->base;
    return window;
}

void port_window_close(port_window *window)
{
    must(tutti_window_free(&window->handle), "tutti_window_free");
    port_mem_free(window->base);
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

void port_start(port_slots *slots, int slot)
{
    must(tutti_start(slots->requests[slot]), "tutti_start");
}

void port_release(port_slots *slots, int slot)
{
    must(tutti_request_free(&slots->requests[slot]), "tutti_request_free");
}

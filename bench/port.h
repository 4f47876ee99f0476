/* SPDX-License-Identifier: BSD-3-Clause */
/* What the measuring loop asks of a message passing library, so that one and the same loop is compiled
 * against Tutti (port_tutti.c) and against any MPI (port_mpi.c). As thin as can be: each function is one call
 * of the library below, so that what is measured is the library. All ranks of the job, one thread.
 *
 * Whatever fails below ends the whole job with a line on stderr that names rank and call: a benchmark cannot
 * go on from there. */
#ifndef BENCH_PORT_H
#define BENCH_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Joins the job. 0, or nonzero after having said on stderr why not. */
int port_init(int *argc, char ***argv);
void port_finalize(void);
/* Ends the whole job with exit status `code`. */
void port_abort(int code, const char *why) __attribute__((noreturn));
/* Name and version of this program, before port_init(). */
const char *port_program(void);
/* A hash of the sources of the loop that this program was built of; NULL: it cannot be of others than those
 * at hand. */
const char *port_loop(void);
/* Library and version, for people: "Tutti 0.1.0". A static string, valid after port_init(). */
const char *port_name(void);
int port_rank(void);
int port_size(void);

void port_barrier(void);
void port_send(const void *buf, size_t bytes, int dest, int tag);
void port_recv(void *buf, size_t bytes, int source, int tag);
/* Both at once, `bytes` each way, with one tag. */
void port_sendrecv(const void *send, int dest, void *recv, int source, size_t bytes, int tag);

/* Buffers from the library's own allocator (tutti_mem_alloc, MPI_Alloc_mem), which node peers may map. */
void *port_mem_alloc(size_t bytes);
void port_mem_free(void *base);

/* A row of requests: the library's own array, so that waiting for many converts nothing. */
typedef struct port_slots port_slots;
port_slots *port_slots_open(int count);
void port_slots_close(port_slots *slots);
void port_isend(port_slots *slots, int slot, const void *buf, size_t bytes, int dest, int tag);
void port_irecv(port_slots *slots, int slot, void *buf, size_t bytes, int source, int tag);
/* The persistent forms: made once, started any number of times, completed by port_waitall(). */
void port_send_init(port_slots *slots, int slot, const void *buf, size_t bytes, int dest, int tag);
void port_recv_init(port_slots *slots, int slot, void *buf, size_t bytes, int source, int tag);
/* Slots 0 … count-1, all persistent. */
void port_startall(port_slots *slots, int count);
void port_release(port_slots *slots, int slot);
/* Waits for slots 0 … count-1. */
void port_waitall(port_slots *slots, int count);

/* Memory of every rank, zeroed, open to all others. Put and get are complete, here and at the target, after
 * port_flush(); port_iget() when its slot was waited for; the atomics when they return. */
typedef struct port_window port_window;
port_window *port_window_open(size_t bytes, void **base);
void port_window_close(port_window *window);
void port_put(port_window *window, const void *local, size_t bytes, int target, size_t offset);
void port_iget(port_window *window, port_slots *slots, int slot, void *local, size_t bytes, int target,
               size_t offset);
void port_get(port_window *window, void *local, size_t bytes, int target, size_t offset);
void port_flush(port_window *window, int target);
int64_t port_fetch_add(port_window *window, int64_t add, int target, size_t offset);
int64_t port_compare_swap(port_window *window, int64_t compare, int64_t desired, int target, size_t offset);

/* A table of parts in the library's own arrays: so many, each of `count` bytes, or elements, one after the
 * other. */
typedef struct port_parts port_parts;
port_parts *port_parts_open(int number, size_t count);
void port_parts_close(port_parts *parts);

/* For collectives between neighbours: the ranks on a grid of so many rows, which divide their number, wrapped
 * around at its edges. Every rank calls; there is one grid, until port_finalize(). */
void port_grid_open(int rows);

enum port_form { PORT_BLOCKING, PORT_NONBLOCKING, PORT_PERSISTENT, PORT_FORMS };
enum port_kind {
#define COLLECTIVE(NAME, ...) PORT_##NAME,
#include "bench/collectives_measured.h"
#undef COLLECTIVE
    PORT_KINDS
};
enum port_type { PORT_INT32, PORT_INT64, PORT_FLOAT, PORT_DOUBLE, PORT_TYPES };
enum port_op { PORT_SUM, PORT_PROD, PORT_MIN, PORT_MAX, PORT_OPS };

/* One collective. `count` is that of one rank's part: bytes, or elements of `type` of those that combine. */
typedef struct {
    enum port_kind kind;
    const void *send;
    void *recv;
    size_t count;
    enum port_type type;
    enum port_op op;
    int root;
    const port_parts *parts; /* of those whose parts a table says; else NULL */
} port_call;

/* False for a form that the library does not offer for collectives. */
bool port_has(enum port_form form);
void port_collective(const port_call *call);
/* The nonblocking form; port_waitall() completes it. */
void port_icollective(const port_call *call, port_slots *slots, int slot);
/* The persistent form, as port_send_init(); port_start() starts one. */
void port_collective_init(const port_call *call, port_slots *slots, int slot);
void port_start(port_slots *slots, int slot);

#endif

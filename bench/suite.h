/* SPDX-License-Identifier: BSD-3-Clause */
/* The tests: what is repeated, by whom, and how its result is checked. The loop (measure.h) does the rest. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/pattern.h"
#include "bench/port.h"

/* There are no more tests. */
#define BENCH_TESTS_MAX 64

/* What a window takes at the most: beyond, more messages under way only cost memory. */
#define BENCH_WINDOW_BYTES ((size_t)64 << 20)

/* One test at one size in one form, being measured. */
typedef struct {
    enum port_form form;
    enum port_type type;
    enum port_op op;
    int root;
    size_t bytes;
    int window;        /* messages under way at once, in the tests of bandwidth and rate */
    int peer;          /* the rank that this one talks to; -1 for none */
    int neighbours[4]; /* of the halo exchange */
    bool origin;       /* this rank starts the exchange */
    bool crowded;      /* ranks share cores */
    int pattern;       /* changes from case to case */
    void *send;        /* filled before the first repetition */
    void *recv;        /* … and this is cleared */
    port_call call;    /* of a collective */
    port_slots *slots;
    port_parts *parts;   /* of a call that has some */
    port_window *memory; /* of the one-sided tests */
    void *base;
    long long done; /* turns so far: operations of the atomics; meetings and pieces of the floors */
    struct bench_exchange *exchange; /* of the floors of exchanges (suite_floor_exchange.c) */
} bench_case;

enum bench_measure {
    BENCH_LATENCY,   /* time of one operation */
    BENCH_BANDWIDTH, /* bytes per second of many under way */
    BENCH_RATE       /* messages per second, all pairs together */
};

/* Who takes part, and what one repetition's time is. */
enum bench_actors {
    BENCH_ALL,        /* every rank, started together: the slowest rank's time */
    BENCH_NEIGHBOURS, /* every rank, repeating at its own pace, which the exchange itself keeps in step: the
                         slowest's */
    BENCH_PAIRS,      /* pairs of ranks, each repeating at its own pace: the slowest rank's */
    BENCH_PAIR,       /* rank 0 and its peer: rank 0's */
    BENCH_ONE_SIDE    /* rank 0 alone, on its peer's memory: rank 0's; the peer waits in a receive */
};

typedef struct bench_test {
    const char *name, *help;
    enum bench_measure measure;
    enum bench_actors actors;
    bool sized;           /* false: there is one size, `fixed` bytes */
    bool collective;      /* every rank takes part, and there are forms */
    enum port_form usual; /* the form measured where the user names none */
    bool reduces;         /* has type and operation: sizes are whole elements */
    bool rooted;
    bool machine; /* it measures no library, and needs all ranks on one host; not in the tour */
    size_t fixed;
    /* Bytes of the buffers of a case of this size; NULL: as many as the size. */
    size_t (*send_bytes)(size_t bytes, int window), (*recv_bytes)(size_t bytes, int window);
    void (*open)(bench_case *c); /* after the buffers, before the first repetition; NULL: nothing to do */
    /* Before a repetition that is checked, beside the clearing of recv. NULL: nothing to do. */
    void (*fill)(bench_case *c);
    void (*run)(bench_case *c); /* one repetition, at a rank that takes part */
    /* After one repetition from filled and cleared buffers. False: *fault says what is wrong. NULL: no data.
     */
    bool (*check)(bench_case *c, bench_fault *fault);
    void (*close)(bench_case *c);
    /* Operations in one repetition: its time is divided by this. NULL: one. */
    double (*operations)(const bench_case *c);
    /* Bytes that cross the busiest link of a perfect algorithm, per operation: bus bandwidth. NULL: none. */
    double (*bus_bytes)(size_t bytes, int ranks);
} bench_test;

/* Every test, in the order of help and tour, the machine's last; ends with NULL. */
extern const bench_test *const bench_tests[];
const bench_test *bench_find_test(const char *name);

extern const bench_test bench_latency, bench_bandwidth, bench_bibandwidth, bench_rate;
extern const bench_test bench_put, bench_get, bench_put_bandwidth, bench_get_bandwidth, bench_fetch_add,
    bench_compare_swap;
extern const bench_test bench_halo;
#define COLLECTIVE(NAME, name, ...) extern const bench_test bench_##name;
#include "bench/collectives_measured.h"
#undef COLLECTIVE

extern const bench_test bench_floor_line, bench_floor_meet, bench_floor_copy, bench_floor_kernel,
    bench_floor_pass, bench_floor_wake, bench_floor_alltoall_kernel, bench_floor_alltoall_pass,
    bench_floor_halo_kernel, bench_floor_halo_pass;

/* For the tests with many under way: room for a whole window, and its operations. */
size_t bench_window_bytes(size_t bytes, int window);
/* A part for each rank. */
size_t bench_bytes_of_all(size_t bytes, int window);
/* Whether the case's bytes at place `index` of a row of such parts are as rank `sender` sends them in that
 * pattern; *fault counts from the first part's begin. */
bool bench_holds_part(const bench_case *c, const void *row, int index, int sender, int pattern,
                      bench_fault *fault);
/* Whether each message of a window, one behind the other in `memory`, is as the peer sends it. */
bool bench_check_window(const bench_case *c, const void *memory, bench_fault *fault);
double bench_window_of(const bench_case *c);
/* For those that go there and back: their time is that of one way. */
double bench_both_ways(const bench_case *c);
/* As much of the window as the user asked for that stays within BENCH_WINDOW_BYTES; at least one message. */
int bench_window_fitting(int window, size_t bytes);

/* The grid of the halo exchange, and of collectives between neighbours: how many rows it has; the rank next
 * to `rank`, where ways are north, south, west, east; bytes of a part for each way. */
#define BENCH_WAYS 4
int bench_halo_rows(int ranks);
int bench_halo_neighbour(int rank, int ranks, int way);
/* The way that went what comes from this one. */
int bench_halo_opposite(int way);
size_t bench_halo_bytes(size_t bytes, int window);

/* Name of a form, an element type, an operation, as the command line writes it; NULL beyond the last. */
const char *bench_form_name(int form);
const char *bench_type_name(int type);
const char *bench_op_name(int op);

#endif

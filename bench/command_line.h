/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user asked for. */
#ifndef BENCH_COMMAND_LINE_H
#define BENCH_COMMAND_LINE_H

#include <stdbool.h>

#include "bench/port.h"
#include "bench/sizes.h"
#include "bench/suite.h"

enum bench_sync {
    BENCH_SYNC_AUTO,
    BENCH_SYNC_CLOCK,
    BENCH_SYNC_BARRIER,
    BENCH_SYNC_ITERATION,
    BENCH_SYNC_NONE,
    BENCH_SYNCS
};
enum bench_memory { BENCH_MEMORY_PLAIN, BENCH_MEMORY_SHARED, BENCH_MEMORIES };
enum bench_validate { BENCH_VALIDATE_ENDS, BENCH_VALIDATE_ALL, BENCH_VALIDATE_OFF, BENCH_VALIDATES };

typedef struct {
    const bench_test *tests[BENCH_TESTS_MAX];
    int test_count;
    bool startup; /* the tests of start-up and of idle waiting, which are not like the others */
    bool idle;
    unsigned forms; /* bit per enum port_form; 0: the usual one of each test */
    bool sizes_given;
    bench_sizes sizes;
    int iterations; /* 0: until stable */
    int window;
    double max_time;   /* seconds per size */
    double total_time; /* seconds after which no size is begun; 0: no limit */
    double tolerance;  /* of the median, relative */
    enum port_type type;
    enum port_op op;
    int root;
    double compute; /* seconds, of the idle test */
    enum bench_sync sync;
    enum bench_validate validate;
    enum bench_memory memory;
    const char *json, *csv, *plot; /* files, or NULL */
    int64_t exec_ns;               /* of the start-up test: when the program was executed; 0: not yet */
} bench_settings;

enum bench_wish { BENCH_MEASURE, BENCH_HELP, BENCH_VERSION, BENCH_REFUSED };

/* Fills *settings. BENCH_REFUSED with one line in `error` that names the remedy. */
enum bench_wish bench_command_line(int argc, char **argv, bench_settings *settings, char *error, size_t room);

const char *bench_sync_name(int sync);
const char *bench_memory_name(int memory);

#endif

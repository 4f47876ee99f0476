/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/suite.h"

#include <string.h>

#include "bench/pattern.h"

const bench_test *const bench_tests[] = {&bench_latency,
                                         &bench_bandwidth,
                                         &bench_bibandwidth,
                                         &bench_rate,
                                         &bench_halo,
                                         &bench_put,
                                         &bench_get,
                                         &bench_put_bandwidth,
                                         &bench_get_bandwidth,
                                         &bench_fetch_add,
                                         &bench_compare_swap,
#define COLLECTIVE(NAME, name, ...) &bench_##name,
#include "bench/collectives_measured.h"
#undef COLLECTIVE
                                         &bench_floor_line,
                                         &bench_floor_meet,
                                         &bench_floor_copy,
                                         &bench_floor_kernel,
                                         &bench_floor_pass,
                                         &bench_floor_wake,
                                         &bench_floor_alltoall_kernel,
                                         &bench_floor_alltoall_pass,
                                         &bench_floor_halo_kernel,
                                         &bench_floor_halo_pass,
                                         NULL};
_Static_assert(sizeof bench_tests / sizeof bench_tests[0] <= BENCH_TESTS_MAX + 1,
               "the tour has room for every test");

const bench_test *bench_find_test(const char *name)
{
    for (int i = 0; bench_tests[i]; i++)
        if (strcmp(bench_tests[i]->name, name) == 0) return bench_tests[i];
    return NULL;
}

const char *bench_form_name(int form)
{
    static const char *const names[PORT_FORMS] = {"blocking", "nonblocking", "persistent"};
    return form < PORT_FORMS ? names[form] : NULL;
}

const char *bench_type_name(int type)
{
    static const char *const names[PORT_TYPES] = {"int32", "int64", "float", "double"};
    return type < PORT_TYPES ? names[type] : NULL;
}

const char *bench_op_name(int op)
{
    static const char *const names[PORT_OPS] = {"sum", "prod", "min", "max"};
    return op < PORT_OPS ? names[op] : NULL;
}

size_t bench_window_bytes(size_t bytes, int window)
{
    return bytes * (size_t)window;
}

size_t bench_bytes_of_all(size_t bytes, int window)
{
    (void)window;
    return bytes * (size_t)port_size();
}

int bench_window_fitting(int window, size_t bytes)
{
    size_t fitting = bytes ? BENCH_WINDOW_BYTES / bytes : (size_t)window;
    if (fitting >= (size_t)window) return window;
    return fitting ? (int)fitting : 1;
}

bool bench_holds_part(const bench_case *c, const void *row, int index, int sender, int pattern,
                      bench_fault *fault)
{
    const size_t at = (size_t)index * c->bytes;
    if (bench_holds((const char *)row + at, c->bytes, sender, pattern, fault)) return true;
    fault->element += (long long)at;
    return false;
}

bool bench_check_window(const bench_case *c, const void *memory, bench_fault *fault)
{
    for (int i = 0; i < c->window; i++)
        if (!bench_holds_part(c, memory, i, c->peer, c->pattern, fault)) return false;
    return true;
}

double bench_window_of(const bench_case *c)
{
    return c->window;
}

double bench_both_ways(const bench_case *c)
{
    (void)c;
    return 2;
}

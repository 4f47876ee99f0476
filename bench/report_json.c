/* SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>

#include "bench/report.h"
#include "bench/report_file.h"

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text) json_object_set_new(object, key, json_string(text));
}

/* What a test does not have is left out. */
static void set_positive(json_t *object, const char *key, double value)
{
    if (value > 0) json_object_set_new(object, key, json_real(value));
}

static json_t *result_object(const bench_result *r)
{
    json_t *object = json_object();
    set_text(object, "test", r->test);
    set_text(object, "form", r->form);
    set_text(object, "type", r->type);
    set_text(object, "op", r->op);
    set_text(object, "sync", r->sync);
    if (r->root >= 0) json_object_set_new(object, "root", json_integer(r->root));
    if (r->sized) json_object_set_new(object, "bytes", json_integer((json_int_t)r->bytes));
    json_object_set_new(object, "samples", json_integer(r->samples));
    json_object_set_new(object, "stable", json_boolean(r->stable));
    json_object_set_new(object, "validated", json_boolean(r->validated));
    json_object_set_new(object, "min_us", json_real(r->least * 1e6));
    json_object_set_new(object, "median_us", json_real(r->median * 1e6));
    json_object_set_new(object, "mean_us", json_real(r->mean * 1e6));
    json_object_set_new(object, "p99_us", json_real(r->p99 * 1e6));
    set_positive(object, "bandwidth_MBps", r->bandwidth * 1e-6);
    set_positive(object, "bus_bandwidth_MBps", r->bus_bandwidth * 1e-6);
    set_positive(object, "rate_per_s", r->rate);
    if (r->slowdown > 0) {
        json_object_set_new(object, "waiters_cpu_percent", json_real(r->waiters_cpu * 100));
        json_object_set_new(object, "slowdown", json_real(r->slowdown));
    }
    if (r->resident) {
        json_object_set_new(object, "resident_bytes", json_integer(r->resident));
        json_object_set_new(object, "resident_bytes_largest", json_integer(r->resident_most));
    }
    return object;
}

static json_t *run_object(const bench_results *results)
{
    const bench_run *run = &results->run;
    json_t *object = json_object(), *list = json_array();
    set_text(object, "library", run->library);
    set_text(object, "loop", run->loop);
    json_object_set_new(object, "ranks", json_integer(run->ranks));
    json_object_set_new(object, "hosts", json_integer(run->hosts));
    json_object_set_new(object, "cores", json_integer(run->cores));
    set_text(object, "sync", run->sync);
    set_text(object, "memory", run->memory);
    json_object_set_new(object, "max_time_s", json_real(run->max_time));
    json_object_set_new(object, "tolerance", json_real(run->tolerance));
    set_positive(object, "clock_error_us", run->clock_error * 1e6);
    for (int i = 0; i < results->count; i++)
        json_array_append_new(list, result_object(&results->results[i]));
    json_object_set_new(object, "results", list);
    return object;
}

bool bench_write_json(const bench_results *results, const char *path)
{
    bench_file file;
    if (!bench_file_open(&file, path)) return false;
    json_t *object = run_object(results);
    bool good = json_dumpf(object, file.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;
    if (good) fputc('\n', file.stream);
    json_decref(object);
    return bench_file_close(&file, good) && good;
}

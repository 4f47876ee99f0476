/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/report.h"
#include "bench/report_file.h"

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

/* A column that the test does not have stays empty, as JSON leaves it out: 0 would be a figure. */
static void put_positive(FILE *out, int digits, double value)
{
    if (value > 0) fprintf(out, "%.*f", digits, value);
    fputc(',', out);
}

/* The last columns: of start-up and of idle alone. */
static void put_special(FILE *out, const bench_result *r)
{
    if (r->resident)
        fprintf(out, "%lld,%lld,", (long long)r->resident, (long long)r->resident_most);
    else
        fputs(",,", out);
    if (r->slowdown > 0)
        fprintf(out, "%.4f,%.4f\n", r->waiters_cpu * 100, r->slowdown);
    else
        fputs(",\n", out);
}

/* Names are ours and need no quotes; what a library calls itself is its own. */
static void line(FILE *out, const bench_run *run, const bench_result *r)
{
    bench_put_quoted(out, '"', run->library);
    fprintf(out, ",%d,%d,%s,%s,%s,%s,", run->ranks, run->hosts, r->test, or_nothing(r->form),
            or_nothing(r->type), or_nothing(r->op));
    if (r->root >= 0) fprintf(out, "%d", r->root);
    fprintf(out, ",%s,", or_nothing(r->sync));
    if (r->sized) fprintf(out, "%zu", r->bytes);
    fprintf(out, ",%d,%d,%d,%.4f,%.4f,%.4f,%.4f,", r->samples, r->stable, r->validated, r->least * 1e6,
            r->median * 1e6, r->p99 * 1e6, r->mean * 1e6);
    put_positive(out, 3, r->bandwidth * 1e-6);
    put_positive(out, 3, r->bus_bandwidth * 1e-6);
    put_positive(out, 1, r->rate);
    put_special(out, r);
}

bool bench_write_csv(const bench_results *results, const char *path)
{
    bench_file file;
    if (!bench_file_open(&file, path)) return false;
    fputs("library,ranks,hosts,test,form,type,op,root,sync,bytes,samples,stable,validated,"
          "min_us,median_us,p99_us,mean_us,bandwidth_MBps,bus_bandwidth_MBps,rate_per_s,"
          "resident_bytes,resident_bytes_largest,waiters_cpu_percent,slowdown\n",
          file.stream);
    for (int i = 0; i < results->count; i++)
        line(file.stream, &results->run, &results->results[i]);
    return bench_file_close(&file, true);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/report.h"
#include "bench/report_file.h"

static const char *or_nothing(const char *text)
{
    return text ? text : "";
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
    fprintf(out, ",%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%.3f,%.3f,%.1f,%lld,%lld,%.4f,%.4f\n", r->samples, r->stable,
            r->validated, r->least * 1e6, r->median * 1e6, r->p99 * 1e6, r->mean * 1e6, r->bandwidth * 1e-6,
            r->bus_bandwidth * 1e-6, r->rate, (long long)r->resident, (long long)r->resident_most,
            r->waiters_cpu * 100, r->slowdown);
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

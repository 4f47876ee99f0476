/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <unistd.h>

#include "bench/report.h"
#include "bench/sizes.h"
#include "bench/suite.h"

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

void bench_table_head(FILE *out, const bench_run *run, const bench_layout *layout)
{
    fprintf(out, "%s, %d rank%s on %d host%s", run->library, run->ranks, plural(run->ranks), run->hosts,
            plural(run->hosts));
    if (layout->crowded)
        fprintf(out, ", %d ranks share %d core%s", layout->ranks, layout->cores, plural(layout->cores));
    fprintf(out, ", %s buffers\n", run->memory);
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* What a test's lines have besides the time: a property of the test, since a size of 0 has no bandwidth. */
typedef struct {
    bool bandwidth, bus_bandwidth, rate;
} columns;

static columns columns_of(const bench_result *r)
{
    const bench_test *test = bench_find_test(r->test);
    if (!test) return (columns){false, false, false};
    return (columns){test->measure == BENCH_BANDWIDTH, test->bus_bytes != NULL, test->measure == BENCH_RATE};
}

/* The results that one heading is for. Barriers may take over from the clock at any size. */
static bool belongs_to(const bench_result *r, const bench_result *before)
{
    return before && same(r->test, before->test) && same(r->form, before->form) &&
           same(r->sync, before->sync);
}

static void heading(FILE *out, const bench_result *r)
{
    const columns shown = columns_of(r);
    fprintf(out, "\n%s", r->test);
    if (r->form) fprintf(out, ", %s", r->form);
    if (r->type) fprintf(out, ", %s of %s", r->op, r->type);
    if (r->root >= 0) fprintf(out, ", root %d", r->root);
    if (r->sync) fprintf(out, ", started by %s", r->sync);
    if (r->resident) {
        fprintf(out, "\n%8s %12s %12s %12s %14s %14s\n", "ranks", "min ms", "median ms", "p99 ms",
                "resident MiB", "largest MiB");
        return;
    }
    fprintf(out, "\n%8s %10s %12s %12s %12s", r->sized ? "bytes" : "", "samples", "min us", "median us",
            "p99 us");
    if (shown.bandwidth) fprintf(out, " %12s", "MB/s");
    if (shown.bus_bandwidth) fprintf(out, " %12s", "bus MB/s");
    if (shown.rate) fprintf(out, " %12s", "messages/s");
    fprintf(out, "\n");
}

static void idle_line(FILE *out, const bench_result *r)
{
    fprintf(out, "\nidle, rank 0 computes, the others wait in a barrier\n%12s %24s %24s\n", "computed s",
            "waiters' cpu, % of a core", "computing slower by %");
    fprintf(out, "%12.3f %24.2f %24.2f\n", r->median, r->waiters_cpu * 100, (r->slowdown - 1) * 100);
}

static void startup_line(FILE *out, const bench_result *r)
{
    fprintf(out, "%8d %12.2f %12.2f %12.2f %14.2f %14.2f\n", r->samples, r->least * 1e3, r->median * 1e3,
            r->p99 * 1e3, (double)r->resident / 1048576, (double)r->resident_most / 1048576);
}

static void test_line(FILE *out, const bench_result *r)
{
    char size[24] = "";
    const columns shown = columns_of(r);
    fprintf(out, "%8s %10d %12.2f %12.2f %12.2f", r->sized ? bench_size_text(r->bytes, size) : "", r->samples,
            r->least * 1e6, r->median * 1e6, r->p99 * 1e6);
    if (shown.bandwidth) fprintf(out, " %12.1f", r->bandwidth * 1e-6);
    if (shown.bus_bandwidth) fprintf(out, " %12.1f", r->bus_bandwidth * 1e-6);
    if (shown.rate) fprintf(out, " %12.0f", r->rate);
    fprintf(out, "%s\n", r->stable ? "" : "  (not stable within --max-time)");
}

/* At once, whatever the line: the next test may end the job. */
void bench_table_line(FILE *out, const bench_result *r, const bench_result *before)
{
    if (r->slowdown > 0) {
        idle_line(out, r);
    } else {
        if (!belongs_to(r, before)) heading(out, r);
        if (r->resident)
            startup_line(out, r);
        else
            test_line(out, r);
    }
    fflush(out);
}

void bench_progress(const char *text)
{
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K%s", text ? text : "");
    fflush(stderr);
}

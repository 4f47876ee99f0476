/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti-bench: reads the command line, joins the job, runs the tests in turn, reports. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/command_line.h"
#include "bench/idle.h"
#include "bench/measure.h"
#include "bench/port.h"
#include "bench/report.h"
#include "bench/standard_output.h"
#include "bench/startup.h"
#include "bench/streams_beside.h"
#include "bench/suite.h"
#include "bench/usage.h"

enum { STATUS_FAILED = 1, STATUS_USAGE = 2 };

/* Rank 0 has a result: shown at once, kept for the files. */
static void take(bench_results *results, const bench_result *result)
{
    if (port_rank() != 0) return;
    const bench_result *before = results->count ? &results->results[results->count - 1] : NULL;
    bench_progress(NULL);
    bench_table_line(stdout, result, before);
    bench_results_add(results, result);
}

static void show_progress(const bench_test *test, enum port_form form, size_t bytes)
{
    char text[128], size[24];
    if (port_rank() != 0) return;
    snprintf(text, sizeof text, "%s%s%s %s ...", test->name, test->collective ? ", " : "",
             test->collective ? bench_form_name((int)form) : "",
             test->sized ? bench_size_text(bytes, size) : "");
    bench_progress(text);
}

static void say(const char *test, const char *why)
{
    if (port_rank() == 0) fprintf(stderr, "tutti-bench: %s: left out: %s\n", test, why);
}

/* Rank 0's verdict becomes everyone's. */
static int agree(int status)
{
    port_call call = {.kind = PORT_BCAST, .recv = &status, .count = sizeof status};
    port_collective(&call);
    return status;
}

static bool is_over(const bench_context *context)
{
    double limit = context->settings->total_time;
    return limit > 0 && agree((double)(bench_now() - context->begun_ns) * 1e-9 > limit);
}

static void run_form(bench_context *context, const bench_test *test, enum port_form form,
                     bench_results *results)
{
    const bench_settings *s = context->settings;
    int sizes = test->sized ? s->sizes.count : 1;
    for (int i = 0; i < sizes; i++) {
        bench_result result = {0};
        size_t bytes = test->sized ? s->sizes.bytes[i] : test->fixed;
        if (is_over(context)) {
            say(test->name, "sizes that --total-time leaves no time for");
            return;
        }
        show_progress(test, form, bytes);
        bench_measure(context, test, form, bytes, &result);
        take(results, &result);
    }
}

static void run_test(bench_context *context, const bench_test *test, bench_results *results)
{
    if (test->actors != BENCH_ALL && port_size() < 2) {
        say(test->name, "it needs at least 2 ranks (tuttirun -n 2 tutti-bench ...)");
        return;
    }
    unsigned forms =
        test->collective && context->settings->forms ? context->settings->forms : 1U << test->usual;
    for (int form = 0; form < PORT_FORMS; form++) {
        if (!(forms & (1U << form))) continue;
        if (port_has((enum port_form)form) || !test->collective)
            run_form(context, test, (enum port_form)form, results);
        else
            say(test->name, "this library has no persistent collectives");
    }
}

static void run_idle(const bench_settings *settings, bench_results *results)
{
    bench_result result = {0};
    if (port_size() < 2) {
        say("idle", "it needs at least 2 ranks (tuttirun -n 8 tutti-bench idle)");
        return;
    }
    bench_idle(settings->compute, &result);
    take(results, &result);
}

/* Where ranks share cores of one host all leave a barrier within a few turns. Over a network one hears of its
 * end later than another by more than what is measured. */
static enum bench_sync start_fairly(const bench_layout *layout)
{
    return layout->crowded && layout->hosts == 1 ? BENCH_SYNC_BARRIER : BENCH_SYNC_CLOCK;
}

static bench_context make_context(const bench_settings *settings)
{
    bench_context context = {
        .settings = settings, .layout = bench_layout_find(), .sync = settings->sync, .begun_ns = bench_now()};
    if (context.sync == BENCH_SYNC_AUTO) context.sync = start_fairly(&context.layout);
    return context;
}

/* What must be right before measuring begins; at rank 0. */
static int check_settings(const bench_settings *s)
{
    if (s->root >= port_size()) {
        fprintf(stderr, "tutti-bench: --root %d: the job has ranks 0 to %d\n", s->root, port_size() - 1);
        return STATUS_USAGE;
    }
    if (s->json && !bench_can_write(s->json)) return STATUS_FAILED;
    if (s->csv && !bench_can_write(s->csv)) return STATUS_FAILED;
    if (s->plot && (!bench_can_plot() || !bench_can_write(s->plot))) return STATUS_FAILED;
    return 0;
}

/* Nothing measured means that nothing asked for can be: what stood in the way was said. */
static int write_files(const bench_settings *s, const bench_results *results)
{
    if (results->count == 0) return STATUS_USAGE;
    bool good = !s->json || bench_write_json(results, s->json);
    good = (!s->csv || bench_write_csv(results, s->csv)) && good;
    good = (!s->plot || bench_write_plot(results, s->plot)) && good;
    return good ? 0 : STATUS_FAILED;
}

static int run_all(const bench_settings *settings)
{
    bench_results results = {0};
    bench_result startup;
    if (settings->startup) bench_startup(settings->exec_ns, &startup);
    int status = agree(port_rank() == 0 ? check_settings(settings) : 0);
    if (status) return status;
    bench_context context = make_context(settings);
    results.run = (bench_run){.library = port_name(),
                              .loop = port_loop(),
                              .ranks = port_size(),
                              .hosts = context.layout.hosts,
                              .cores = context.layout.cores,
                              .sync = bench_sync_name((int)context.sync),
                              .memory = bench_memory_name((int)settings->memory),
                              .max_time = settings->max_time,
                              .tolerance = settings->tolerance};
    if (port_rank() == 0) bench_table_head(stdout, &results.run, &context.layout);
    if (settings->startup) take(&results, &startup);
    if (settings->idle) run_idle(settings, &results);
    for (int t = 0; t < settings->test_count; t++)
        run_test(&context, settings->tests[t], &results);
    if (context.clock_error > 0)
        fprintf(stderr, "tutti-bench: clocks of the hosts compared before each size, to within %.1f us\n",
                (double)context.clock_error * 1e-3);
    results.run.clock_error = (double)context.clock_error * 1e-9;
    status = agree(port_rank() == 0 ? write_files(settings, &results) : 0);
    free(results.results);
    return status;
}

static int complain(const char *error)
{
    if (port_rank() == 0) fprintf(stderr, "tutti-bench: %s\n", error);
    return agree(STATUS_USAGE);
}

/* For all ranks at once; each for itself only where there is no job to join. */
static int tell(enum bench_wish wish, bool joined)
{
    if (joined && port_rank() != 0) return 0;
    if (wish == BENCH_HELP)
        bench_usage();
    else
        bench_version();
    return 0;
}

int main(int argc, char **argv)
{
    bench_settings settings;
    char error[512] = "";
    int status;
    standard_output_begin();
    if (bench_streams_beside(argv)) return STATUS_FAILED;
    const enum bench_wish wish = bench_command_line(argc, argv, &settings, error, sizeof error);
    const bool told = wish == BENCH_HELP || wish == BENCH_VERSION;
    if (wish == BENCH_MEASURE && settings.startup && settings.exec_ns == 0) {
        bench_startup_exec(argc, argv);
        return STATUS_FAILED;
    }
    /* The job is joined even to complain or to help, so that it is one rank that does; and the others end
     * after it, as the launcher may end the job with the first. */
    const bool joined = port_init(&argc, &argv) == 0;
    if (!joined && !told) return STATUS_FAILED;
    if (told)
        status = tell(wish, joined);
    else
        status = wish == BENCH_MEASURE ? run_all(&settings) : complain(error);
    if (!joined || port_rank() == 0) status = standard_output_end("tutti-bench", status, STATUS_FAILED);
    if (joined) port_finalize();
    return status;
}

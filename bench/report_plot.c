/* SPDX-License-Identifier: BSD-3-Clause */
/* The plot: a script with its data is piped into gnuplot, which is started directly, by no shell. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/report.h"
#include "bench/report_file.h"

/* The band from minimum to 99th percentile is shown for up to so many curves; more of them hide each other.
 */
enum { BANDS_MAX = 3 };

extern char **environ;

static const char style[] =
    "set termoption font ',12'\n"
    "set logscale x 2\nset logscale y 10\n"
    "set xlabel 'size' offset 0,0.3\nset format y '%.10g'\n"
    "set ytics nomirror\nset mytics 10\n"
    "set border 3 lc rgb '#555555'\n"
    "set grid xtics ytics mytics lt 1 lc rgb '#cccccc' lw 0.8, lt 1 lc rgb '#e8e8e8' lw 0.5\n"
    "set key below Left reverse samplen 2 height 1\n"
    "set style fill transparent solid 0.15 noborder\n"
    "set linetype 1 lc rgb '#0b6e99'\nset linetype 2 lc rgb '#d9480f'\nset linetype 3 lc rgb '#2b8a3e'\n"
    "set linetype 4 lc rgb '#862e9c'\nset linetype 5 lc rgb '#e67700'\nset linetype 6 lc rgb '#495057'\n"
    "set linetype 7 lc rgb '#c2255c'\nset linetype 8 lc rgb '#66a80f'\n";

/* Starts gnuplot between two descriptors (`output` -1: /dev/null). -1 with errno if it cannot be started. */
static pid_t start_gnuplot(char *const arguments[], int input, int output)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (output >= 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = failed;
    return failed ? -1 : pid;
}

static bool ended_well(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool complain(const char *cause)
{
    fprintf(stderr,
            "tutti-bench: --plot: gnuplot: %s: install it (apt install gnuplot-nox) or leave --plot out\n",
            cause);
    return false;
}

bool bench_can_plot(void)
{
    char name[] = "gnuplot", version[] = "--version";
    char *arguments[] = {name, version, NULL};
    pid_t pid = start_gnuplot(arguments, STDIN_FILENO, -1);
    if (pid < 0) return complain(strerror(errno));
    return ended_well(pid) || complain("it cannot run");
}

/* Two panels: time of an operation, and bandwidth; a rate is neither. A logarithmic axis has no place for
 * size 0. */
static bool is_shown(const bench_result *r, bool bandwidth)
{
    return r->sized && r->bytes > 0 && r->median > 0 && r->rate <= 0 && (r->bandwidth > 0) == bandwidth;
}

static bool same_series(const bench_result *a, const bench_result *b)
{
    return strcmp(a->test, b->test) == 0 && a->form == b->form;
}

static bool begins_series(const bench_results *all, int i, bool bandwidth)
{
    const bench_result *r = &all->results[i];
    if (!is_shown(r, bandwidth)) return false;
    for (int k = 0; k < i; k++)
        if (is_shown(&all->results[k], bandwidth) && same_series(&all->results[k], r)) return false;
    return true;
}

static void write_data(FILE *script, const bench_results *all, int first, bool bandwidth)
{
    fprintf(script, "$series%d << END\n", first);
    for (int i = first; i < all->count; i++) {
        const bench_result *r = &all->results[i];
        if (!is_shown(r, bandwidth) || !same_series(r, &all->results[first])) continue;
        if (bandwidth)
            fprintf(script, "%zu %.6g\n", r->bytes, r->bandwidth * 1e-6);
        else
            fprintf(script, "%zu %.6g %.6g %.6g\n", r->bytes, r->median * 1e6, r->least * 1e6, r->p99 * 1e6);
    }
    fprintf(script, "END\n");
}

static int count_series(const bench_results *all, bool bandwidth)
{
    int count = 0;
    for (int i = 0; i < all->count; i++)
        count += begins_series(all, i, bandwidth);
    return count;
}

/* Around the medians: a few slow repetitions must not press the curves into a corner. */
static void write_ranges(FILE *script, const bench_results *all, bool bandwidth)
{
    double x_least = INFINITY, x_most = 0, y_least = INFINITY, y_most = 0;
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->results[i];
        if (!is_shown(r, bandwidth)) continue;
        x_least = fmin(x_least, (double)r->bytes);
        x_most = fmax(x_most, (double)r->bytes);
        y_least = fmin(y_least, bandwidth ? r->bandwidth * 1e-6 : r->least * 1e6);
        y_most = fmax(y_most, bandwidth ? r->bandwidth * 1e-6 : r->median * 1e6);
    }
    y_least = y_least > 0 ? y_least : y_most / 1000;
    fprintf(script, "set xtics nomirror ('' 0");
    for (size_t at = 1; (double)at <= x_most; at *= 8) {
        static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
        int unit = at < 1024 ? 0 : at < (1U << 20) ? 1 : at < (1U << 30) ? 2 : 3;
        fprintf(script, ", '%zu %s' %zu", at >> (10 * unit), units[unit], at);
    }
    fprintf(script, ")\n");
    fprintf(script, "set xrange [%g:%g]\nset yrange [%g:%g]\n", x_least / 1.5, x_most * 1.5, y_least / 2,
            y_most * 3);
}

static void write_panel(FILE *script, const bench_results *all, bool bandwidth)
{
    int series = 0;
    bool bands = !bandwidth && count_series(all, false) <= BANDS_MAX;
    for (int i = 0; i < all->count; i++)
        if (begins_series(all, i, bandwidth)) write_data(script, all, i, bandwidth);
    write_ranges(script, all, bandwidth);
    fprintf(script, "set ylabel '%s'\nplot ",
            bandwidth ? "bandwidth (MB/s)"
            : bands   ? "time per operation (µs): median, minimum to 99th percentile"
                      : "median time per operation (µs)");
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->results[i];
        if (!begins_series(all, i, bandwidth)) continue;
        fprintf(script, "%s", series++ ? ", " : "");
        if (bands) fprintf(script, "$series%d using 1:3:4 with filledcurves lt %d notitle, ", i, series);
        fprintf(script, "$series%d using 1:2 with linespoints lt %d lw 2 pt 7 ps 0.5 title \"%s%s%s\"", i,
                series, r->test, r->form ? ", " : "", r->form ? r->form : "");
    }
    fprintf(script, "\n");
}

/* What was measured, where all curves are of one test; then by whom. */
static void write_title(const bench_results *all, char *title, size_t room)
{
    const bench_result *first = NULL;
    bool one = true;
    char what[64] = "";
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->results[i];
        if (!is_shown(r, false) && !is_shown(r, true)) continue;
        first = first ? first : r;
        one = one && strcmp(first->test, r->test) == 0;
    }
    if (one && first && first->type)
        snprintf(what, sizeof what, "%s (%s of %s), ", first->test, first->op, first->type);
    else if (one && first)
        snprintf(what, sizeof what, "%s, ", first->test);
    snprintf(title, room, "%s%s, %d rank%s on %d host%s", what, all->run.library, all->run.ranks,
             all->run.ranks == 1 ? "" : "s", all->run.hosts, all->run.hosts == 1 ? "" : "s");
}

static void write_script(FILE *script, const bench_results *all, bool svg)
{
    bool times = count_series(all, false) > 0, bandwidths = count_series(all, true) > 0;
    char title[256];
    int width = times && bandwidths ? 1500 : 900;
    /* Enhanced text would put what follows the _ of a test's name below the line. */
    fprintf(script, "set encoding utf8\nset terminal %s noenhanced size %d,620 background rgb 'white'\n",
            svg ? "svg" : "pngcairo", width);
    fputs(style, script);
    write_title(all, title, sizeof title);
    fprintf(script, "set title ");
    bench_put_quoted(script, '\'', title);
    fprintf(script, " font ',15'\n");
    if (times && bandwidths) fprintf(script, "set multiplot layout 1,2\n");
    if (times) write_panel(script, all, false);
    if (bandwidths) write_panel(script, all, true);
    if (times && bandwidths) fprintf(script, "unset multiplot\n");
}

/* Feeds gnuplot; a gnuplot that ends early shows in its exit status, not as a signal. */
static bool feed(const bench_results *results, bool svg, int output)
{
    char name[] = "gnuplot";
    char *arguments[] = {name, NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return complain(strerror(errno));
    /* In the locale C gnuplot warns about a degree sign of its own. */
    setenv("LC_ALL", "C.UTF-8", 1);
    pid_t pid = start_gnuplot(arguments, ends[0], output);
    int cause = errno;
    close(ends[0]);
    FILE *script = fdopen(ends[1], "w");
    if (pid < 0 || !script) {
        close(ends[1]);
        return complain(strerror(cause));
    }
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    write_script(script, results, svg);
    fclose(script);
    bool good = ended_well(pid);
    signal(SIGPIPE, before);
    return good || complain("it failed");
}

bool bench_write_plot(const bench_results *results, const char *path)
{
    bench_file file;
    if (count_series(results, false) + count_series(results, true) == 0) {
        fprintf(stderr, "tutti-bench: --plot %s: none of these tests has sizes to plot over\n", path);
        return false;
    }
    if (!bench_file_open(&file, path)) return false;
    bool good = feed(results, strcmp(path + strlen(path) - 4, ".svg") == 0, file.fd);
    return bench_file_close(&file, good) && good;
}

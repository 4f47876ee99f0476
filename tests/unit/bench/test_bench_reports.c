/* SPDX-License-Identifier: BSD-3-Clause */
/* The files: whole or not there. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/report.h"
#include "bench/report_file.h"
#include "bench/result.h"
#include "tests/unit/expect.h"

static const bench_result rows[] = {
    {.test = "startup",
     .root = -1,
     .samples = 4,
     .least = 0.1,
     .median = 0.2,
     .p99 = 0.3,
     .resident = 9 << 20},
    {.test = "allreduce",
     .form = "blocking",
     .type = "float",
     .op = "sum",
     .sync = "clock",
     .root = -1,
     .sized = true,
     .bytes = 8,
     .samples = 100,
     .stable = true,
     .validated = true,
     .least = 1e-6,
     .median = 2e-6,
     .p99 = 3e-6,
     .bus_bandwidth = 6e6},
    {.test = "idle", .root = -1, .samples = 1, .median = 2, .waiters_cpu = 0.015, .slowdown = 1.02},
    {.test = "bandwidth", .root = -1, .sized = true, .bytes = 1024, .median = 1e-6, .bandwidth = 1.024e9}};

static bench_results make(void)
{
    bench_results results = {
        .run = {.library = "Tutti \"x\"", .ranks = 4, .hosts = 1, .cores = 2, .sync = "clock"},
        .count = 4,
        .results = (bench_result *)rows};
    return results;
}

static void json_is_read_back(const bench_results *results, const char *path)
{
    json_error_t error;
    EXPECT(bench_write_json(results, path));
    json_t *run = json_load_file(path, 0, &error);
    EXPECT(run && json_integer_value(json_object_get(run, "ranks")) == 4);
    json_t *list = json_object_get(run, "results");
    EXPECT(json_array_size(list) == 4);
    json_t *row = json_array_get(list, 1);
    EXPECT(strcmp(json_string_value(json_object_get(row, "test")), "allreduce") == 0);
    EXPECT(json_real_value(json_object_get(row, "median_us")) == 2);
    EXPECT(json_is_true(json_object_get(row, "validated")) && !json_object_get(row, "root"));
    row = json_array_get(list, 2);
    EXPECT(json_real_value(json_object_get(row, "waiters_cpu_percent")) == 1.5);
    EXPECT(json_real_value(json_object_get(row, "slowdown")) == 1.02);
    json_decref(run);
}

static void csv_has_equal_columns(const bench_results *results, const char *path)
{
    char line[1024];
    int lines = 0, columns = 0;
    EXPECT(bench_write_csv(results, path));
    FILE *in = fopen(path, "r");
    EXPECT(in);
    for (; fgets(line, sizeof line, in); lines++) {
        int commas = 0;
        for (const char *at = line; *at; at++)
            commas += *at == ',';
        EXPECT(lines == 0 || commas == columns);
        columns = commas;
    }
    fclose(in);
    EXPECT(lines == 5);
}

static size_t size_of(const char *path)
{
    FILE *in = fopen(path, "r");
    if (!in) return 0;
    fseek(in, 0, SEEK_END);
    long size = ftell(in);
    fclose(in);
    return (size_t)size;
}

/* A full disk fails the write and leaves an earlier file as it was. */
static void failures_leave_no_halves(const bench_results *results, const char *path)
{
    bench_file file;
    EXPECT(!bench_write_json(results, "/dev/full"));
    EXPECT(!bench_write_csv(results, "/dev/full"));
    EXPECT(!bench_write_json(results, "/nowhere/x.json") && !bench_can_write("/nowhere/x.json"));
    EXPECT(bench_write_json(results, path));
    size_t before = size_of(path);
    EXPECT(bench_file_open(&file, path) && fputs("half", file.stream) >= 0);
    EXPECT(!bench_file_close(&file, false));
    EXPECT(bench_file_open(&file, "/dev/full"));
    for (int i = 0; i < 10000; i++) /* more than a stream holds back until its end */
        fputs("a line\n", file.stream);
    EXPECT(!bench_file_close(&file, true) && errno == ENOSPC);
    EXPECT(size_of(path) == before && bench_can_write(path) && size_of(path) == before);
}

static void print_lines(const bench_result *lines, int count, char *text, size_t room)
{
    FILE *out = fmemopen(text, room, "w");
    EXPECT(out);
    for (int i = 0; i < count; i++)
        bench_table_line(out, &lines[i], i ? &lines[i - 1] : NULL);
    EXPECT(fclose(out) == 0);
}

/* Size 0 has no bandwidth, but the lines below it have; and who starts repetitions may change from size to
 * size. */
static void headings_fit_all_lines(void)
{
    char text[4096] = "";
    bench_result lines[] = {rows[3], rows[3]};
    lines[0].bytes = 0;
    lines[0].bandwidth = 0;
    print_lines(lines, 2, text, sizeof text);
    EXPECT(strstr(text, "MB/s\n       0") && strstr(text, " 0.0 ") && strstr(text, " 1024.0 "));
    lines[0] = lines[1] = rows[1];
    lines[1].bytes = 16;
    lines[1].sync = "barrier";
    print_lines(lines, 2, text, sizeof text);
    EXPECT(strstr(text, "started by clock\n") && strstr(text, "started by barrier\n"));
}

/* A test that ends the job takes nothing along of what was shown before. */
static void lines_are_shown_at_once(const char *path)
{
    FILE *out = fopen(path, "w");
    EXPECT(out);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t before = size_of(path);
        bench_table_line(out, &rows[i], NULL);
        EXPECT(size_of(path) > before);
    }
    EXPECT(fclose(out) == 0);
}

/* A link stays one, as /dev/stdout must where standard output is a file; looking whether it can be written
 * empties nothing; and the table that is there already stays. */
static void links_stay(const bench_results *results, const char *path, const char *link)
{
    char target[64] = "";
    EXPECT(bench_write_json(results, path));
    size_t before = size_of(path);
    EXPECT(symlink(path, link) == 0 && bench_can_write(link) && size_of(path) == before);
    EXPECT(bench_write_json(results, link) && size_of(path) == before);
    EXPECT(readlink(link, target, sizeof target) > 0 && strcmp(target, path) == 0);
    int out = dup(STDOUT_FILENO), file = open(path, O_WRONLY);
    EXPECT(out >= 0 && file >= 0 && dup2(file, STDOUT_FILENO) == STDOUT_FILENO);
    const bool good = bench_write_json(results, link);
    EXPECT(dup2(out, STDOUT_FILENO) == STDOUT_FILENO && close(out) == 0 && close(file) == 0);
    EXPECT(good && size_of(path) == 2 * before && unlink(link) == 0);
}

/* Who reads a pipe takes its first writer's end for the end of all. */
static void pipes_are_not_tried(const bench_results *results, const char *path)
{
    char text[4096];
    EXPECT(mkfifo(path, 0600) == 0);
    struct pollfd reader = {.fd = open(path, O_RDONLY | O_NONBLOCK), .events = POLLIN};
    EXPECT(reader.fd >= 0 && bench_can_write(path) && poll(&reader, 1, 0) == 0);
    EXPECT(bench_write_csv(results, path) && read(reader.fd, text, sizeof text) > 0);
    EXPECT(close(reader.fd) == 0 && unlink(path) == 0);
}

static void plot_is_drawn(const bench_results *results, const char *path)
{
    bench_results nothing = *results;
    nothing.count = 1;
    EXPECT(!bench_write_plot(&nothing, path) && size_of(path) == 0);
    if (!bench_can_plot()) return;
    EXPECT(bench_write_plot(results, path) && size_of(path) > 1000);
}

/* The key's entry is one text, and no word of it below the line. */
static void plot_names_are_whole(const bench_results *results, const char *path)
{
    bench_result row = rows[1];
    const bench_results one = {.run = results->run, .count = 1, .results = &row};
    char text[1 << 16];
    if (!bench_can_plot()) return;
    row.test = "reduce_scatter";
    EXPECT(bench_write_plot(&one, path));
    FILE *file = fopen(path, "r");
    EXPECT(file);
    const size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    EXPECT(strstr(text, "reduce_scatter, blocking"));
}

int main(void)
{
    char folder[] = "/tmp/bench-reports-XXXXXX", path[64], plot[64];
    bench_results results = make();
    EXPECT(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out", folder);
    snprintf(plot, sizeof plot, "%s/out.svg", folder);
    json_is_read_back(&results, path);
    csv_has_equal_columns(&results, path);
    failures_leave_no_halves(&results, path);
    headings_fit_all_lines();
    lines_are_shown_at_once(path);
    links_stay(&results, path, plot);
    pipes_are_not_tried(&results, plot);
    plot_is_drawn(&results, plot);
    plot_names_are_whole(&results, plot);
    unlink(path);
    unlink(plot);
    EXPECT(rmdir(folder) == 0); /* nothing was left beside them */
    return 0;
}

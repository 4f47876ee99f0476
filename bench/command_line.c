/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/pattern.h"
#include "bench/suite.h"

enum { OPT_EXEC_NS = 256 };

static const struct option options[] = {{"sizes", required_argument, NULL, 's'},
                                        {"form", required_argument, NULL, 'f'},
                                        {"type", required_argument, NULL, 't'},
                                        {"op", required_argument, NULL, 'o'},
                                        {"root", required_argument, NULL, 'r'},
                                        {"iterations", required_argument, NULL, 'i'},
                                        {"max-time", required_argument, NULL, 'm'},
                                        {"total-time", required_argument, NULL, 'l'},
                                        {"tolerance", required_argument, NULL, 'e'},
                                        {"window", required_argument, NULL, 'w'},
                                        {"sync", required_argument, NULL, 'y'},
                                        {"validate", required_argument, NULL, 'v'},
                                        {"compute", required_argument, NULL, 'u'},
                                        {"memory", required_argument, NULL, 'b'},
                                        {"json", required_argument, NULL, 'j'},
                                        {"csv", required_argument, NULL, 'c'},
                                        {"plot", required_argument, NULL, 'p'},
                                        {"help", no_argument, NULL, 'h'},
                                        {"version", no_argument, NULL, 'V'},
                                        {"exec-ns", required_argument, NULL, OPT_EXEC_NS},
                                        {NULL, 0, NULL, 0}};

const char *bench_sync_name(int sync)
{
    static const char *const names[BENCH_SYNCS] = {"auto", "clock", "barrier", "iteration", "none"};
    return sync < BENCH_SYNCS ? names[sync] : NULL;
}

static const char *validate_name(int validate)
{
    static const char *const names[BENCH_VALIDATES] = {"ends", "all", "off"};
    return validate < BENCH_VALIDATES ? names[validate] : NULL;
}

const char *bench_memory_name(int memory)
{
    static const char *const names[BENCH_MEMORIES] = {"plain", "shared"};
    return memory < BENCH_MEMORIES ? names[memory] : NULL;
}

/* Place of `text` among the names, or -1 with the choices in `error`. */
static int choose(const char *option, const char *text, const char *(*name)(int), char *error, size_t room)
{
    int i, length;
    for (i = 0; name(i); i++)
        if (strcmp(text, name(i)) == 0) return i;
    length = snprintf(error, room, "--%s %s: choose one of", option, text);
    for (i = 0; name(i) && length > 0 && (size_t)length < room; i++)
        length += snprintf(error + length, room - (size_t)length, " %s", name(i));
    return -1;
}

/* "all" or a comma-separated list of forms. */
static bool parse_forms(const char *text, unsigned *forms, char *error, size_t room)
{
    char list[128], *rest = NULL;
    *forms = 0;
    if (strcmp(text, "all") == 0) *forms = (1U << PORT_FORMS) - 1;
    snprintf(list, sizeof list, "%s", *forms ? "" : text);
    for (char *one = strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        int form = choose("form", one, bench_form_name, error, room);
        if (form < 0) return false;
        *forms |= 1U << form;
    }
    if (*forms) return true;
    snprintf(error, room, "--form needs a form: blocking, nonblocking, persistent, or all");
    return false;
}

static bool set_choice(int option, const char *text, bench_settings *s, char *error, size_t room)
{
    int place;
    switch (option) {
    case 't':
        place = choose("type", text, bench_type_name, error, room);
        s->type = place < 0 ? s->type : (enum port_type)place;
        return place >= 0;
    case 'o':
        place = choose("op", text, bench_op_name, error, room);
        s->op = place < 0 ? s->op : (enum port_op)place;
        return place >= 0;
    case 'y':
        place = choose("sync", text, bench_sync_name, error, room);
        s->sync = place < 0 ? s->sync : (enum bench_sync)place;
        return place >= 0;
    case 'b':
        place = choose("memory", text, bench_memory_name, error, room);
        s->memory = place < 0 ? s->memory : (enum bench_memory)place;
        return place >= 0;
    default:
        place = choose("validate", text, validate_name, error, room);
        s->validate = place < 0 ? s->validate : (enum bench_validate)place;
        return place >= 0;
    }
}

static bool set_tolerance(const char *text, bench_settings *s, char *error, size_t room)
{
    char *end;
    const double percent = strtod(text, &end);
    if (*end == '\0' && percent > 0 && percent <= 100) {
        s->tolerance = percent / 100;
        return true;
    }
    snprintf(error, room, "--tolerance %s: give a percentage above 0, as 2", text);
    return false;
}

static bool set_number(int option, const char *text, bench_settings *s, char *error, size_t room)
{
    const struct {
        int option, least, most;
        int *number;
        double *time;
        const char *name, *give;
    } numbers[] = {
        {'i', 1, 100000000, &s->iterations, NULL, "iterations", "a number from 1 to 100000000"},
        {'r', 0, 2147483646, &s->root, NULL, "root", "a rank, from 0"},
        {'w', 1, 4096, &s->window, NULL, "window", "a number from 1 to 4096"},
        {'m', 0, 0, NULL, &s->max_time, "max-time", "a time per size, as 2s or 200ms"},
        {'u', 0, 0, NULL, &s->compute, "compute", "the time that rank 0 computes for, as 2s"},
        {'l', 0, 0, NULL, &s->total_time, "total-time", "a time for all sizes together, as 30s"},
    };
    size_t i = 0;
    while (numbers[i].option != option)
        i++;
    if (numbers[i].number ? bench_parse_int(text, numbers[i].least, numbers[i].most, numbers[i].number)
                          : bench_parse_seconds(text, numbers[i].time))
        return true;
    snprintf(error, room, "--%s %s: give %s", numbers[i].name, text, numbers[i].give);
    return false;
}

static bool has_ending(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

static bool set_file(int option, const char *text, bench_settings *s, char *error, size_t room)
{
    if (!*text) {
        snprintf(error, room, "a file name is missing after --json, --csv or --plot");
        return false;
    }
    const char **place = option == 'j' ? &s->json : option == 'c' ? &s->csv : &s->plot;
    if (*place) {
        snprintf(error, room, "two files of a kind, %s and %s: give --json, --csv and --plot once each",
                 *place, text);
        return false;
    }
    *place = text;
    if (option != 'p') return true;
    if (has_ending(text, ".svg") || has_ending(text, ".png")) return true;
    snprintf(error, room, "--plot %s: the name must end in .svg or .png", text);
    return false;
}

/* Devices take what several kinds write one after the other; of a file the last kind would be left. */
static bool check_files(const bench_settings *s, char *error, size_t room)
{
    const char *const files[] = {s->json, s->csv, s->plot};
    for (int i = 0; i < 3; i++) {
        const char *one = files[i], *other = files[(i + 1) % 3];
        if (!one || !other || strcmp(one, other) != 0 || strncmp(one, "/dev/", 5) == 0) continue;
        snprintf(error, room, "%s: of --json, --csv and --plot each needs a file of its own", one);
        return false;
    }
    return true;
}

static bool set_sizes(const char *text, bench_settings *s, char *error, size_t room)
{
    const char *wrong = text;
    s->sizes_given = true;
    if (bench_parse_sizes(text, &s->sizes, &wrong)) return true;
    snprintf(
        error, room,
        "--sizes %s: '%s' is not a size or range; write 8-1m or 8,64,4k (at most %d sizes, of 1024g at most)",
        text, wrong, BENCH_SIZES_MAX);
    return false;
}

static bool set_option(int option, const char *text, bench_settings *s, char *error, size_t room)
{
    if (strchr("toybv", option)) return set_choice(option, text, s, error, room);
    if (strchr("irwulm", option)) return set_number(option, text, s, error, room);
    if (strchr("jcp", option)) return set_file(option, text, s, error, room);
    if (option == 'e') return set_tolerance(text, s, error, room);
    if (option == 's') return set_sizes(text, s, error, room);
    return parse_forms(text, &s->forms, error, room);
}

static bool is_named(const bench_settings *s, const bench_test *test)
{
    for (int i = 0; i < s->test_count; i++)
        if (s->tests[i] == test) return true;
    return false;
}

/* A compact tour: every test of the library, and what else was named, at a few sizes and not for long, unless
 * the user says otherwise. */
static void set_tour(bench_settings *s, bool time_given)
{
    const char *wrong;
    const bench_settings asked = *s;
    s->test_count = 0;
    s->startup = true;
    for (int i = 0; bench_tests[i]; i++)
        if (!bench_tests[i]->machine || is_named(&asked, bench_tests[i]))
            s->tests[s->test_count++] = bench_tests[i];
    if (!s->sizes_given) bench_parse_sizes("8,1k,64k,1m", &s->sizes, &wrong);
    if (!time_given) s->max_time = 0.15;
}

static bool set_tests(int count, char **names, bench_settings *s, bool time_given, char *error, size_t room)
{
    bool tour = false;
    if (count == 0) {
        snprintf(error, room, "name a test: latency, allreduce, ..., or all (see --help)");
        return false;
    }
    for (int i = 0; i < count; i++) {
        const bench_test *test = bench_find_test(names[i]);
        if (strcmp(names[i], "all") == 0) {
            tour = true;
        } else if (strcmp(names[i], "startup") == 0) {
            s->startup = true;
        } else if (strcmp(names[i], "idle") == 0) {
            s->idle = true;
        } else if (!test || s->test_count == BENCH_TESTS_MAX) {
            snprintf(error, room, "there is no test '%s'; --help lists them", names[i]);
            return false;
        } else {
            s->tests[s->test_count++] = test;
        }
    }
    if (tour) set_tour(s, time_given);
    return true;
}

/* There must be something to draw: times or bandwidths over sizes, of which 0 is none. */
static bool check_plot(const bench_settings *s, char *error, size_t room)
{
    bool sizes = false;
    for (int i = 0; i < s->sizes.count; i++)
        sizes = sizes || s->sizes.bytes[i] > 0;
    for (int i = 0; i < s->test_count && sizes; i++)
        if (s->tests[i]->sized && s->tests[i]->measure != BENCH_RATE) return true;
    if (!s->plot) return true;
    snprintf(error, room, "--plot %s: none of these tests has sizes to plot over", s->plot);
    return false;
}

/* Reductions take whole elements: a size that is none is refused rather than rounded. */
static bool check_sizes(const bench_settings *s, char *error, size_t room)
{
    const size_t element = bench_type_bytes(s->type);
    for (int t = 0; t < s->test_count; t++) {
        if (!s->tests[t]->reduces) continue;
        for (int i = 0; i < s->sizes.count; i++) {
            if (s->sizes.bytes[i] % element == 0) continue;
            snprintf(error, room, "--sizes: %zu bytes are no whole number of %s elements (%zu bytes each)",
                     s->sizes.bytes[i], bench_type_name((int)s->type), element);
            return false;
        }
    }
    return true;
}

enum bench_wish bench_command_line(int argc, char **argv, bench_settings *settings, char *error, size_t room)
{
    const char *wrong;
    bool time_given = false;
    *settings =
        (bench_settings){.window = 64, .max_time = 1, .compute = 2, .tolerance = 0.02, .type = PORT_FLOAT};
    bench_parse_sizes("8-1m", &settings->sizes, &wrong);
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h') return BENCH_HELP;
        if (option == 'V') return BENCH_VERSION;
        if (option == '?' || option == ':') {
            snprintf(error, room, "%s: unknown option, or its value is missing; see --help",
                     argv[optind - 1]);
            return BENCH_REFUSED;
        }
        if (option == OPT_EXEC_NS) {
            settings->exec_ns = strtoll(optarg, NULL, 10);
            continue;
        }
        if (!set_option(option, optarg, settings, error, room)) return BENCH_REFUSED;
        time_given = time_given || option == 'm';
    }
    if (!set_tests(argc - optind, argv + optind, settings, time_given, error, room)) return BENCH_REFUSED;
    if (!check_files(settings, error, room) || !check_plot(settings, error, room)) return BENCH_REFUSED;
    return check_sizes(settings, error, room) ? BENCH_MEASURE : BENCH_REFUSED;
}

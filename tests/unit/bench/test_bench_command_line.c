/* SPDX-License-Identifier: BSD-3-Clause */
#include <getopt.h>
#include <string.h>

#include "bench/command_line.h"
#include "bench/suite.h"
#include "tests/unit/expect.h"

static enum bench_wish parse(const char *words, bench_settings *settings, char error[256])
{
    static char copy[512];
    char *argv[32], *rest = NULL;
    int argc = 0;
    snprintf(copy, sizeof copy, "tutti-bench %s", words);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    argv[argc] = NULL;
    optind = 0;
    error[0] = '\0';
    return bench_command_line(argc, argv, settings, error, 256);
}

static void understood(void)
{
    bench_settings s;
    char error[256];
    EXPECT(parse("allreduce latency --sizes 8-32 --form all --type double --op max --root 3", &s, error) ==
           BENCH_MEASURE);
    EXPECT(s.test_count == 2 && strcmp(s.tests[0]->name, "allreduce") == 0 && !s.startup);
    EXPECT(s.sizes.count == 3 && s.forms == 7 && s.type == PORT_DOUBLE && s.op == PORT_MAX && s.root == 3);
    EXPECT(parse("--max-time 200ms --total-time 30s --tolerance 5 --sync none --validate off bcast", &s,
                 error) == BENCH_MEASURE);
    EXPECT(s.max_time == 0.2 && s.total_time == 30 && s.tolerance == 0.05 && s.sync == BENCH_SYNC_NONE);
    EXPECT(s.validate == BENCH_VALIDATE_OFF && s.forms == 0);
    EXPECT(parse("all --sizes 16", &s, error) == BENCH_MEASURE && s.startup && s.test_count > 10 &&
           s.sizes.count == 1);
    EXPECT(s.memory == BENCH_MEMORY_PLAIN && !s.idle);
    const int tour = s.test_count;
    EXPECT(parse("all idle bcast floor-line --tolerance 2.5", &s, error) == BENCH_MEASURE && s.idle &&
           s.startup);
    EXPECT(s.test_count == tour + 1 && s.tests[tour] == &bench_floor_line && s.tolerance == 0.025);
    EXPECT(parse("bcast --sync iteration", &s, error) == BENCH_MEASURE && s.sync == BENCH_SYNC_ITERATION);
    EXPECT(parse("halo --memory shared --sizes 1", &s, error) == BENCH_MEASURE &&
           s.memory == BENCH_MEMORY_SHARED);
    EXPECT(parse("idle --compute 100ms", &s, error) == BENCH_MEASURE && s.idle && s.compute == 0.1 &&
           s.test_count == 0);
    EXPECT(parse("bcast --help", &s, error) == BENCH_HELP);
    EXPECT(parse("--version", &s, error) == BENCH_VERSION);
    EXPECT(parse("startup --exec-ns=123", &s, error) == BENCH_MEASURE && s.startup && s.exec_ns == 123);
}

/* Every refusal is one line that says what to write instead. */
static void refused(void)
{
    const char *const lines[][2] = {{"", "see --help"},
                                    {"allredcue", "no test 'allredcue'"},
                                    {"bcast --sizes 8-x", "--sizes 8-x"},
                                    {"alltoall --sizes 4294967296g", "of 1024g at most"},
                                    {"bcast --form quick", "blocking nonblocking persistent"},
                                    {"bcast --form ,", "--form needs"},
                                    {"reduce --type complex", "int32 int64 float double"},
                                    {"reduce --op avg", "sum prod min max"},
                                    {"reduce --sizes 6", "6 bytes are no whole number of float"},
                                    {"reduce --sizes 4 --type double", "double"},
                                    {"bcast --root -1", "give a rank"},
                                    {"bcast --max-time 0", "as 2s or 200ms"},
                                    {"bcast --total-time never", "as 30s"},
                                    {"idle --compute 0", "as 2s"},
                                    {"bcast --iterations many", "--iterations many"},
                                    {"bcast --window 0", "--window 0"},
                                    {"bcast --plot x.pdf", ".svg or .png"},
                                    {"bcast --plot x.svg --plot y.png", "x.svg and y.png"},
                                    {"bcast --json x --csv y --json z", "x and z"},
                                    {"bcast --tolerance 2,5", "--tolerance 2,5"},
                                    {"bcast --tolerance 2x", "--tolerance 2x"},
                                    {"bcast --tolerance nan", "--tolerance nan"},
                                    {"all allredcue", "no test 'allredcue'"},
                                    {"barrier rate idle --plot x.svg", "--plot x.svg: none"},
                                    {"bcast --sizes 0 --plot x.svg", "--plot x.svg: none"},
                                    {"bcast --validate maybe", "ends all off"},
                                    {"bcast --memory far", "plain shared"},
                                    {"bcast --frobnicate", "--frobnicate"},
                                    {"bcast --sizes", "--sizes"}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        bench_settings s;
        char error[256];
        EXPECT(parse(lines[i][0], &s, error) == BENCH_REFUSED);
        if (!strstr(error, lines[i][1]) || strchr(error, '\n')) {
            fprintf(stderr, "'%s' gives '%s'\n", lines[i][0], error);
            exit(1);
        }
    }
}

int main(void)
{
    understood();
    refused();
    return 0;
}

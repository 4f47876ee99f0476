/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of its own beside tutti-bench: that is a rank of a job, which a launcher starts and which links
 * libtutti; streams join programs that are neither. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/types.h>

#include "bench/standard_output.h"
#include "bench/streams/stream_bench.h"

static const char usage[] =
    "usage: tutti-stream-bench [OPTION...] rate|latency|bandwidth|answer|all\n"
    "Measures streams between two processes on this machine, over the loopback, each figure beside another "
    "one\n"
    "of the same run, in turn: what counts is the column \"ratio\", to the first row.\n"
    "  rate       small messages: each an operation of its own, and coalesced; made for one thread, and for "
    "many\n"
    "  latency    half a round trip, beside examples/ofi/pingpong_msg and, where it is installed, "
    "fi_pingpong\n"
    "             -e msg: polling, on a core each, and sleeping\n"
    "  bandwidth  long messages: through a plain TCP socket, in place, and from buffers\n"
    "  answer     a question on one of 50 idle connections of an epoll loop, and its answer, both sides "
    "asleep\n"
    "             before: plain TCP sockets, sockets behind a library's descriptor, streams\n"
    "options:\n"
    "  --bytes N        of a message, 16 to 2^28; not of answer [64; bandwidth 1048576]\n"
    "  --count N        timed messages of a round [rate 500000, latency 20000, bandwidth 2000,\n"
    "                   answer 200, and 100000 at most]\n"
    "  --rounds N       of each, 1 to 1000 [7]\n"
    "  --credits N      that the receiver gives, 1 to 4096; not of answer [rate 512, latency 16, bandwidth "
    "3]\n"
    "  --provider NAME  libfabric's [tcp]\n"
    "  --pingpong PATH  the program pingpong_msg [the one built or installed with this program]\n"
    "  -h, --help       this text; --version\n"
    "Measure on a machine that does nothing else.\n";

static bool read_number(const char *name, long least, long most, long *number)
{
    char *end;
    *number = strtol(optarg, &end, 10);
    if (end != optarg && *end == '\0' && *number >= least && *number <= most) return true;
    fprintf(stderr, "tutti-stream-bench: --%s %s: not a number from %ld to %ld\n", name, optarg, least, most);
    return false;
}

enum { BYTES = 1, COUNT, ROUNDS, CREDITS, PROVIDER, PINGPONG, VERSION };
static const struct option longer[] = {{"bytes", required_argument, NULL, BYTES},
                                       {"count", required_argument, NULL, COUNT},
                                       {"rounds", required_argument, NULL, ROUNDS},
                                       {"credits", required_argument, NULL, CREDITS},
                                       {"provider", required_argument, NULL, PROVIDER},
                                       {"pingpong", required_argument, NULL, PINGPONG},
                                       {"help", no_argument, NULL, 'h'},
                                       {"version", no_argument, NULL, VERSION},
                                       {NULL, 0, NULL, 0}};

static bool take_option(int option, stream_settings *settings)
{
    long number = 0;
    switch (option) {
    case BYTES:
        if (!read_number("bytes", 16, 1L << 28, &number)) return false;
        settings->bytes = (size_t)number;
        return true;
    case COUNT: return read_number("count", 1, 1000000000, &settings->count);
    case ROUNDS:
        if (!read_number("rounds", 1, STREAM_ROUNDS_MOST, &number)) return false;
        settings->rounds = (int)number;
        return true;
    case CREDITS:
        if (!read_number("credits", 1, 4096, &number)) return false;
        settings->credits = (int)number;
        return true;
    case PROVIDER: settings->provider = optarg; return true;
    case PINGPONG: settings->pingpong = optarg; return true;
    default: return false;
    }
}

/* Alone it refuses what it would not heed; among all tests its table says what it measured. */
static bool answer_takes(const stream_settings *settings)
{
    const char *why = NULL;
    if (settings->bytes > 0) why = "no --bytes: its questions have 64 bytes";
    if (settings->credits > 0) why = "no --credits: each question waits for its answer";
    if (settings->count > STREAM_QUESTIONS_MOST) why = "no such --count: it asks 100000 times at most";
    if (why != NULL) fprintf(stderr, "tutti-stream-bench: answer takes %s\n", why);
    return why == NULL;
}

static int run(const char *test, const stream_settings *settings)
{
    static const struct {
        const char *name;
        bool (*run)(const stream_settings *settings);
    } tests[] = {{"rate", stream_bench_rate},
                 {"latency", stream_bench_latency},
                 {"bandwidth", stream_bench_bandwidth},
                 {"answer", stream_bench_answer}};
    const bool all = strcmp(test, "all") == 0;
    bool known = all;
    if (strcmp(test, "answer") == 0 && !answer_takes(settings)) return 2;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (!all && strcmp(test, tests[i].name) != 0) continue;
        known = true;
        if (!tests[i].run(settings)) return 1;
    }
    if (!known) fprintf(stderr, "tutti-stream-bench: there is no test \"%s\"\n%s", test, usage);
    return known ? 0 : 2;
}

/* The exit status, but for output that cannot be written. */
static int act(int argc, char **argv)
{
    stream_settings settings = {.rounds = 7, .provider = "tcp"};
    for (int option; (option = getopt_long(argc, argv, "h", longer, NULL)) != -1;) {
        if (option == 'h') return fputs(usage, stdout), 0;
        if (option == VERSION) {
            printf("tutti-stream-bench %d.%d.%d\n", TUTTI_VERSION_MAJOR, TUTTI_VERSION_MINOR,
                   TUTTI_VERSION_PATCH);
            return 0;
        }
        if (!take_option(option, &settings)) return 2;
    }
    if (optind + 1 == argc) return run(argv[optind], &settings);
    fprintf(stderr, "%s", usage);
    return 2;
}

int main(int argc, char **argv)
{
    standard_output_begin();
    return standard_output_end("tutti-stream-bench", act(argc, argv), 1);
}

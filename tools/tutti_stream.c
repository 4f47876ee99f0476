/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti-stream: a file, or what a pipe brings, through a stream from one host to another. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/types.h>

#include "bench/standard_output.h"
#include "stream_transfer.h"

enum { HELP = 256, VERSION, RATE, JSON, SECRET_FILE, BUFFER, TIMEOUT };

static const struct option options[] = {{"help", no_argument, NULL, HELP},
                                        {"version", no_argument, NULL, VERSION},
                                        {"rate", required_argument, NULL, RATE},
                                        {"json", optional_argument, NULL, JSON},
                                        {"buffer", required_argument, NULL, BUFFER},
                                        {"secret-file", required_argument, NULL, SECRET_FILE},
                                        {"timeout", required_argument, NULL, TIMEOUT},
                                        {0}};

static void usage(FILE *out)
{
    fprintf(
        out,
        "usage: tutti-stream receive [OPTION...] ADDRESS [FILE]\n"
        "       tutti-stream send [OPTION...] ADDRESS [FILE]\n"
        "Sends FILE or the standard input to a receiver, which writes it to FILE or the standard output. A\n"
        "receiver listens at ADDRESS, takes one sender, and ends with it. ADDRESS is host:port,\n"
        "[IPv6]:port, or a port alone, of this host's loopback; a receiver's port 0 is one that is free.\n"
        "  --secret-file FILE  of a shared secret, the same at both ends, with mode 0600\n"
        "  --rate BYTES        of a sender: at most so many bytes a second (64k, 10m, 1g)\n"
        "  --buffer BYTES      longest message (default 256k)\n"
        "  --timeout SECONDS   of a sender: longest wait for the receiver to answer (default 10)\n"
        "  --json[=FILE]       counters, as a line of JSON, to FILE or the standard error\n"
        "  --help, --version\n"
        "Exit status: 0 all has arrived; 1 a file, the disk or a pipe failed here; 2 bad command line; 3 "
        "the\n"
        "stream failed: nobody listens, a wrong secret, the other side has died or failed.\n"
        "example: tutti-stream receive 4711 >copy     and     tutti-stream send 4711 file\n");
}

static int bad_usage(const char *what, const char *why)
{
    fprintf(stderr, "tutti-stream: %s: %s; see tutti-stream --help\n", what, why);
    return TRANSFER_USAGE;
}

/* "64", "64k", "2m", "1g": from 1 on, in bytes. */
static bool parse_size(const char *text, int64_t *bytes)
{
    static const char units[] = "kmg";
    char *end;
    if (*text < '0' || *text > '9') return false;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end | 0x20) : NULL;
    const int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    if (errno != 0 || value < 1 || value > INT64_MAX >> shift ||
        (*end != '\0' && (unit == NULL || end[1] != '\0')))
        return false;
    *bytes = (int64_t)value << shift;
    return true;
}

static int bad_value(int option, const char *why)
{
    char what[256];
    size_t i = 0;
    while (options[i].val != option)
        i++;
    snprintf(what, sizeof what, "--%s %s", options[i].name, optarg);
    return bad_usage(what, why);
}

/* Exit status, or -1: the option is taken. */
static int take_option(int option, transfer_request *request)
{
    int64_t value = 0;
    const bool is_size = option == RATE || option == BUFFER || option == TIMEOUT;
    if (is_size && !parse_size(optarg, &value))
        return bad_value(option, "a number from 1 on is wanted, such as 64k");
    if (option == RATE) request->rate = value;
    if (option == BUFFER) request->buffer_bytes = (size_t)value;
    if (option == TIMEOUT && value > INT32_MAX / 1000) return bad_value(option, "that are too many seconds");
    if (option == TIMEOUT) request->timeout_ms = (int)value * 1000;
    if (option == JSON) request->json = optarg != NULL ? optarg : "-";
    if (option == SECRET_FILE) request->secret_file = optarg;
    return -1;
}

static int take_words(int count, char **words, transfer_request *request)
{
    if (count < 1) return bad_usage("receive or send", "which of them is missing");
    request->sends = strcmp(words[0], "send") == 0;
    if (!request->sends && strcmp(words[0], "receive") != 0)
        return bad_usage(words[0], "neither receive nor send");
    if (count < 2) return bad_usage(words[0], "the address is missing");
    if (count > 3) return bad_usage(words[3], "one word too many");
    if (!request->sends && (request->rate > 0 || request->timeout_ms > 0))
        return bad_usage("--rate and --timeout", "are of a sender");
    request->address = words[1];
    request->file = count == 3 && strcmp(words[2], "-") != 0 ? words[2] : NULL;
    return -1;
}

static void print_version(void)
{
    printf("tutti-stream %d.%d.%d\n", TUTTI_VERSION_MAJOR, TUTTI_VERSION_MINOR, TUTTI_VERSION_PATCH);
}

/* Exit status, or -1 to go on. */
static int parse_command_line(int argc, char **argv, transfer_request *request)
{
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h' || option == HELP) return usage(stdout), 0;
        if (option == VERSION) return print_version(), 0;
        if (option == '?') return fprintf(stderr, "tutti-stream: see tutti-stream --help\n"), TRANSFER_USAGE;
        const int status = take_option(option, request);
        if (status >= 0) return status;
    }
    return take_words(argc - optind, argv + optind, request);
}

static int no_json(const transfer_request *request)
{
    fprintf(stderr, "tutti-stream: writing %s: %s\n", request->json, strerror(errno));
    return TRANSFER_LOCAL;
}

int main(int argc, char **argv)
{
    transfer_request request = {.buffer_bytes = 256 * 1024};
    transfer_result result;
    standard_output_begin();
    const int status = parse_command_line(argc, argv, &request);
    if (status >= 0) return standard_output_end("tutti-stream", status, TRANSFER_LOCAL);
    signal(SIGPIPE, SIG_IGN); /* a pipe that is closed is an error as any other */
    if (request.json != NULL && !transfer_can_write_json(&request)) return no_json(&request);
    transfer_run(&request, &result);
    if (result.error[0] != '\0') fprintf(stderr, "tutti-stream: %s\n", result.error);
    if (request.json == NULL || transfer_write_json(&request, &result)) return result.status;
    const int failed = no_json(&request);
    return result.status != TRANSFER_DONE ? result.status : failed;
}

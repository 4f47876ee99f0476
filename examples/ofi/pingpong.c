/* SPDX-License-Identifier: BSD-3-Clause */
#include "pingpong.h"

#include <endian.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BYTES_MOST (1L << 30)
#define ITERATIONS_MOST 1000000000L

static const char usage[] =
    "usage: %s [-p PROVIDER] [-s BYTES] [-n ITERATIONS] [-b PORT] [-t SECONDS] [-w] [-r] [SERVER]\n"
    "Passes a message to and fro over libfabric and prints the time of one transfer, half a round trip.\n"
    "Without SERVER, a host name or IPv4 address, it is the server and waits for one client.\n"
    "  -p PROVIDER    as `fi_info -l` lists them; the same on both sides [tcp]\n"
    "  -s BYTES       of a message; the client's counts [64]\n"
    "  -n ITERATIONS  timed round trips; the client's counts [1000]\n"
    "  -b PORT        TCP port of the server; 0 there: any that is free, which it prints [47592]\n"
    "  -t SECONDS     the longest wait for the other side, at every step [30]\n"
    "  -w             sleep while waiting, instead of polling\n"
    "  -r             register the buffers though the provider does not ask for it\n"
    "  -h, --help     this text\n";

static bool read_number(char option, long least, long most, long *number)
{
    char *end;
    *number = strtol(optarg, &end, 10);
    if (end != optarg && *end == '\0' && *number >= least && *number <= most) return true;
    fprintf(stderr, "-%c %s: not a number from %ld to %ld\n", option, optarg, least, most);
    return false;
}

static bool take_option(int option, const char *program, struct arguments *arguments, int *status)
{
    long number = 0;
    bool good = true;
    switch (option) {
    case 'p': arguments->provider = optarg; break;
    case 'b':
        good = read_number('b', 0, 65535, &number);
        arguments->port = optarg;
        break;
    case 's':
        good = read_number('s', 0, BYTES_MOST, &number);
        arguments->bytes = (size_t)number;
        break;
    case 'n': good = read_number('n', 1, ITERATIONS_MOST, &arguments->iterations); break;
    case 't':
        good = read_number('t', 1, 3600, &number);
        arguments->limit_ms = (int)number * 1000;
        break;
    case 'w': arguments->sleeps = true; break;
    case 'r': arguments->registers = true; break;
    case 'h':
        printf(usage, program);
        *status = 0;
        return false;
    default: good = false; break;
    }
    return good;
}

bool read_arguments(int argc, char **argv, struct arguments *arguments, int *status)
{
    static const struct option longer[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    *arguments = (struct arguments){
        .provider = "tcp", .port = "47592", .bytes = 64, .iterations = 1000, .limit_ms = 30000};
    *status = 2;
    int option;
    while ((option = getopt_long(argc, argv, "p:s:n:b:t:wrh", longer, NULL)) != -1) {
        if (!take_option(option, argv[0], arguments, status)) return false;
    }
    if (optind < argc) arguments->server = argv[optind++];
    if (optind == argc) return true;
    fprintf(stderr, usage, argv[0]);
    return false;
}

struct request make_request(const struct arguments *arguments)
{
    return (struct request){htobe64(arguments->bytes), htobe64((uint64_t)arguments->iterations)};
}

bool take_request(const struct request *request, struct arguments *arguments)
{
    const uint64_t bytes = be64toh(request->bytes), iterations = be64toh(request->iterations);
    if (bytes > BYTES_MOST || iterations < 1 || iterations > ITERATIONS_MOST) {
        fprintf(stderr, "what connected is no client of this program\n");
        return false;
    }
    arguments->bytes = (size_t)bytes;
    arguments->iterations = (long)iterations;
    return true;
}

double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* The two sides' messages of a number differ in all bytes, and so do a message and the one before. */
static unsigned char byte_at(size_t place, long number, bool from_server)
{
    return (unsigned char)(place + 2 * (size_t)number + from_server);
}

void fill(unsigned char *buffer, size_t bytes, long number, bool whole, bool from_server)
{
    if (bytes == 0) return;
    buffer[0] = byte_at(0, number, from_server);
    buffer[bytes - 1] = byte_at(bytes - 1, number, from_server);
    for (size_t i = 1; whole && i + 1 < bytes; i++)
        buffer[i] = byte_at(i, number, from_server);
}

bool check(const unsigned char *buffer, size_t got, size_t bytes, long number, bool whole, bool from_server)
{
    if (got != bytes) {
        fprintf(stderr, "message %ld has %zu bytes instead of %zu\n", number, got, bytes);
        return false;
    }
    const size_t step = whole || bytes < 2 ? 1 : bytes - 1;
    for (size_t i = 0; i < bytes; i += step) {
        if (buffer[i] == byte_at(i, number, from_server)) continue;
        fprintf(stderr, "message %ld: byte %zu of %zu is %d instead of %d\n", number, i, bytes, buffer[i],
                byte_at(i, number, from_server));
        return false;
    }
    return true;
}

void print_result(const struct arguments *arguments, double elapsed_us)
{
    const double transfers = 2.0 * (double)arguments->iterations;
    printf("%10s %12s %12s\n", "bytes", "iterations", "usec/xfer");
    printf("%10zu %12ld %12.2f\n", arguments->bytes, arguments->iterations, elapsed_us / transfers);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams beside ZeroMQ's and nng's PUSH and PULL, and a plain TCP socket; built where both are found, and
 * not installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/streams/stream_bench.h"
#include "bench/streams/stream_peer.h"

static const char usage[] =
    "usage: stream-compare rate|bandwidth|all [ROUNDS [COUNT]]\n"
    "Messages one way between two processes over the loopback: streams, ZeroMQ, nng and a TCP socket in "
    "turn.\n"
    "  rate       messages of 64 bytes, one by one, as each library sends them by itself [500000 a round]\n"
    "  bandwidth  messages of 1 MiB, in place (nng copies what is not its own) [2000 a round]\n"
    "The column \"ratio\" is to the stream: what is below 1.00 is slower than it. 7 rounds unless said "
    "otherwise.\n"
    "Measure on a machine that does nothing else.\n";

#define SMALL_BYTES ((size_t)64)
#define LONG_BYTES ((size_t)1 << 20)

static double per_second(double seconds, double amount)
{
    return seconds < 0 ? -1 : amount / seconds / 1e6;
}

/* Million messages per second. */
static double small_by_peer(const stream_settings *settings, const void *how)
{
    return per_second(stream_peer_round(how, SMALL_BYTES, settings->count), (double)settings->count);
}

static double small_by_socket(const stream_settings *settings, const void *how)
{
    (void)how;
    return per_second(stream_over_a_socket(SMALL_BYTES, settings->count), (double)settings->count);
}

/* Million bytes per second. */
static double long_by_peer(const stream_settings *settings, const void *how)
{
    return per_second(stream_peer_round(how, LONG_BYTES, settings->count),
                      (double)LONG_BYTES * (double)settings->count);
}

static double long_by_socket(const stream_settings *settings, const void *how)
{
    (void)how;
    return per_second(stream_over_a_socket(LONG_BYTES, settings->count),
                      (double)LONG_BYTES * (double)settings->count);
}

static const stream_way small_ways[] = {{"stream", stream_rate, &(const stream_sending){0}},
                                        {"ZeroMQ", small_by_peer, &stream_peer_zeromq},
                                        {"nng", small_by_peer, &stream_peer_nng},
                                        {"TCP socket, uncoalesced", small_by_socket, NULL}};
static const stream_way long_ways[] = {
    {"stream, in place", stream_bandwidth, &(const stream_sending){.in_place = true}},
    {"ZeroMQ, in place", long_by_peer, &stream_peer_zeromq_in_place},
    {"nng, copied", long_by_peer, &stream_peer_nng},
    {"TCP socket", long_by_socket, NULL}};

static bool compare(const char *title, const stream_way *ways, const stream_settings *asked, long count)
{
    stream_settings settings = *asked;
    if (settings.count == 0) settings.count = count;
    return stream_compare(&settings, title, ways, 4);
}

int main(int argc, char **argv)
{
    stream_settings settings = {
        .rounds = argc > 2 ? atoi(argv[2]) : 7, .count = argc > 3 ? atol(argv[3]) : 0, .provider = "tcp"};
    const char *test = argc > 1 ? argv[1] : "";
    const bool all = strcmp(test, "all") == 0, rate = strcmp(test, "rate") == 0;
    if (strcmp(test, "--help") == 0) {
        printf("%s", usage);
        return 0;
    }
    if (argc > 4 || settings.rounds < 1 || settings.rounds > STREAM_ROUNDS_MOST || settings.count < 0 ||
        (!all && !rate && strcmp(test, "bandwidth") != 0)) {
        fprintf(stderr, "%s", usage);
        return 2;
    }
    if ((all || rate) &&
        !compare("rate: million messages of 64 bytes per second", small_ways, &settings, 500000))
        return 1;
    if ((all || !rate) &&
        !compare("bandwidth: MB (10^6) per second in messages of 1 MiB", long_ways, &settings, 2000))
        return 1;
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A message to and fro on a stream, beside the same with libfabric alone. */
#include <stdio.h>
#include <string.h>

#include "bench/streams/stream_bench.h"

#define WARM_UP_MOST 1000

typedef struct {
    uint64_t number; /* of the message that is due */
    size_t bytes;
} rally;

static void pass_on(stream_side *side)
{
    const rally *mine = side->mine;
    void *data;
    size_t room;
    int code = tutti_stream_get_buffer(side->stream, &data, &room);
    if (code == 0) {
        memcpy(data, &mine->number, mine->bytes < sizeof mine->number ? mine->bytes : sizeof mine->number);
        code = tutti_stream_send_buffer(side->stream, data, mine->bytes);
    }
    if (code != 0) stream_side_fail(side, "sending"); /* one message is under way: there is room */
}

static void take(stream_side *side, const void *data, size_t bytes)
{
    rally *mine = side->mine;
    const size_t seen = bytes < sizeof mine->number ? bytes : sizeof mine->number;
    if (bytes == mine->bytes && memcmp(data, &mine->number, seen) == 0) return;
    stream_fail("a side", "a message is not the one that is due");
    side->failed = true;
}

static void answer(stream_side *side, const void *data, size_t bytes)
{
    take(side, data, bytes);
    if (!side->failed) pass_on(side);
    ((rally *)side->mine)->number++;
}

static void take_answer(stream_side *side, const void *data, size_t bytes)
{
    take(side, data, bytes);
    ((rally *)side->mine)->number++;
}

/* Seconds for so many round trips. */
static double play(stream_side *side, uint64_t count)
{
    const rally *mine = side->mine;
    const double start = stream_now();
    for (const uint64_t end = mine->number + count; mine->number < end;) {
        const uint64_t before = mine->number;
        pass_on(side);
        while (mine->number == before && !side->over && !side->failed) {
            if (!stream_side_turn(side)) return -1;
        }
        if (side->over || side->failed) return -1;
    }
    return stream_now() - start;
}

static size_t bytes_of(const stream_settings *settings)
{
    return settings->bytes > 0 ? settings->bytes : 64;
}

static long count_of(const stream_settings *settings)
{
    return settings->count > 0 ? settings->count : 20000;
}

/* How a row's program waits: it looks all the time, and says so when it makes its context; or it sleeps. */
typedef struct {
    bool polls, says_so;
} waiting;

/* Microseconds for half a round trip. */
static double rally_by_stream(const stream_settings *settings, const waiting *how)
{
    const size_t bytes = bytes_of(settings);
    const tutti_stream_options options = {.provider = settings->provider,
                                          .buffer_bytes = bytes > 16384 ? bytes : 0,
                                          .credits = settings->credits,
                                          .polling = how->says_so};
    rally mine = {.bytes = bytes}, other = mine;
    const stream_side server = {
        .mine = &other, .got = answer, .polls = how->polls, .core = STREAM_CORE_SERVER};
    stream_side side = {.mine = &mine, .got = take_answer, .polls = how->polls};
    stream_pin(STREAM_CORE_CLIENT);
    const pid_t child = stream_side_start(&side, &options, &server);
    if (child < 0) return -1;
    const long count = count_of(settings);
    double seconds = play(&side, (uint64_t)(count < WARM_UP_MOST ? count : WARM_UP_MOST));
    if (seconds >= 0) seconds = play(&side, (uint64_t)count);
    if (seconds < 0) side.failed = true;
    side.polls = false;
    return stream_side_end(&side, child) ? seconds / (double)count / 2 * 1e6 : -1;
}

/* On a core each; whatever follows is free to move again. */
static double by_stream(const stream_settings *settings, const void *how)
{
    const double figure = rally_by_stream(settings, how);
    stream_pin(STREAM_CORE_ANY);
    return figure;
}

static double by_pingpong(const stream_settings *settings, const void *how)
{
    const waiting *mine = how;
    return stream_pingpong_msg(settings, bytes_of(settings), count_of(settings), !mine->polls);
}

static double by_fi_pingpong(const stream_settings *settings, const void *how)
{
    (void)how; /* it polls */
    return stream_fi_pingpong(settings, bytes_of(settings), count_of(settings));
}

static const waiting polls = {.polls = true}, polls_and_says_so = {.polls = true, .says_so = true}, sleeps;

static const stream_way polling_ways[] = {{"pingpong_msg", by_pingpong, &polls},
                                          {"stream, made for polling", by_stream, &polls_and_says_so},
                                          {"stream", by_stream, &polls},
                                          {"fi_pingpong -e msg", by_fi_pingpong, &polls}};
static const stream_way sleeping_ways[] = {{"pingpong_msg -w", by_pingpong, &sleeps},
                                           {"stream, by its descriptor", by_stream, &sleeps}};

bool stream_bench_latency(const stream_settings *settings)
{
    char title[160], path[4096];
    const bool alone = !stream_find_pingpong_msg(settings, path);
    if (alone)
        printf("there is no %s, libfabric's latency without streams (build Tutti's examples, or say "
               "--pingpong)\n",
               path);
    for (int sleeping = 0; sleeping < 2; sleeping++) {
        snprintf(title, sizeof title,
                 "latency: microseconds for half a round trip of %zu bytes, %ld a round, %s",
                 bytes_of(settings), count_of(settings), sleeping ? "sleeping" : "polling");
        const stream_way *ways = sleeping ? sleeping_ways : polling_ways;
        const int count = sleeping ? 2 : stream_find_fi_pingpong() ? 4 : 3;
        if (!stream_compare(settings, title, alone ? ways + 1 : ways, alone ? count - 1 : count))
            return false;
    }
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages one way: so many to warm up, an acknowledgement, so many that are timed, an acknowledgement. The
 * receiver looks at the number that each begins with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/streams/stream_bench.h"

#define HEADER 16
#define LONG_CREDITS 3 /* with them 6 buffers take turns; more fall out of caches */

/* Of either side. */
typedef struct {
    size_t bytes;
    long warm_up, count;
    bool in_place;
    uint8_t *memory; /* what is sent in place, or copied into buffers where they are long */
    long sent, goal; /* sender */
    long back;       /* its keys */
    long acknowledged;
    long received; /* receiver */
} flow;

static void acknowledge(stream_side *side)
{
    void *data;
    size_t room;
    if (tutti_stream_get_buffer(side->stream, &data, &room) != 0 ||
        tutti_stream_send_buffer(side->stream, data, 1) != 0 || tutti_stream_flush(side->stream) != 0)
        stream_side_fail(side, "acknowledging");
}

static void receive(stream_side *side, const void *data, size_t bytes)
{
    flow *mine = side->mine;
    uint64_t number = 0;
    if (bytes >= sizeof number) memcpy(&number, data, sizeof number);
    if (bytes != mine->bytes || number != (uint64_t)mine->received) {
        stream_fail("the receiver", "a message is not the one that is due");
        side->failed = true;
    }
    mine->received++;
    if (mine->received == mine->warm_up || mine->received == mine->warm_up + mine->count) acknowledge(side);
}

static int send_copy(stream_side *side, flow *mine)
{
    void *data;
    size_t room;
    const int code = tutti_stream_get_buffer(side->stream, &data, &room);
    if (code != 0) return code;
    const uint64_t number = (uint64_t)mine->sent;
    memcpy(data, &number, sizeof number);
    memcpy((uint8_t *)data + sizeof number, mine->memory, mine->bytes - sizeof number);
    return tutti_stream_send_buffer(side->stream, data, mine->bytes);
}

static int send_in_place(stream_side *side, const flow *mine)
{
    const uint64_t header[2] = {(uint64_t)mine->sent, 0};
    const struct iovec piece = {mine->memory, mine->bytes - HEADER};
    return tutti_stream_send(side->stream, header, HEADER, &piece, 1, header[0]);
}

/* As much as there is room for. */
static void pump(stream_side *side)
{
    flow *mine = side->mine;
    while (mine->sent < mine->goal) {
        const int code = mine->in_place ? send_in_place(side, mine) : send_copy(side, mine);
        if (code == TUTTI_ERR_AGAIN) return;
        if (code != 0) {
            stream_side_fail(side, "sending");
            return;
        }
        mine->sent++;
    }
    tutti_stream_flush(side->stream);
}

static void take_key(stream_side *side)
{
    ((flow *)side->mine)->back++;
}

static void take_word(stream_side *side, const void *data, size_t bytes)
{
    (void)data;
    (void)bytes;
    ((flow *)side->mine)->acknowledged++;
}

/* Seconds from the first message to the acknowledgement of the last. */
static double pass(stream_side *side, flow *mine, long count)
{
    const long word = mine->acknowledged + 1;
    const double start = stream_now();
    mine->goal = mine->sent + count;
    pump(side);
    while (mine->acknowledged < word && !side->over) {
        if (!stream_side_turn(side)) return -1;
    }
    return side->over ? -1 : stream_now() - start;
}

static double run(flow *mine, const tutti_stream_options *options)
{
    flow other = *mine;
    const stream_side server = {.mine = &other, .got = receive};
    stream_side side = {.mine = mine, .got = take_word, .ready = pump, .sent = take_key};
    const pid_t child = stream_side_start(&side, options, &server);
    if (child < 0) return -1;
    if (mine->in_place && tutti_stream_register(side.context, mine->memory, mine->bytes) != 0)
        stream_side_fail(&side, "registering");
    double seconds = side.failed ? -1 : pass(&side, mine, mine->warm_up);
    if (seconds >= 0) seconds = pass(&side, mine, mine->count);
    if (seconds < 0) side.failed = true;
    if (!stream_side_end(&side, child)) return -1;
    if (mine->in_place && mine->back != mine->sent)
        return stream_fail("zero-copy", "a key has not come back");
    return seconds;
}

static double run_flow(size_t bytes, long count, bool in_place, const tutti_stream_options *options)
{
    flow mine = {.bytes = bytes, .count = count, .warm_up = count / 10 + 1, .in_place = in_place};
    mine.memory = calloc(1, bytes);
    if (mine.memory == NULL) return stream_fail("memory", "there is none");
    const double seconds = run(&mine, options);
    free(mine.memory);
    return seconds;
}

static size_t rate_bytes(const stream_settings *settings)
{
    return settings->bytes > 0 ? settings->bytes : 64;
}

static long rate_count(const stream_settings *settings)
{
    return settings->count > 0 ? settings->count : 500000;
}

double stream_rate(const stream_settings *settings, const void *how)
{
    const stream_sending *sending = how;
    const tutti_stream_options options = {.provider = settings->provider,
                                          .buffer_bytes =
                                              rate_bytes(settings) > 4096 ? 4 * rate_bytes(settings) : 0,
                                          .credits = settings->credits > 0 ? settings->credits : 512,
                                          .coalesce_ms = sending->coalesce_ms,
                                          .thread_safe = sending->thread_safe};
    const long count = rate_count(settings);
    const double seconds = run_flow(rate_bytes(settings), count, sending->in_place, &options);
    return seconds < 0 ? -1 : (double)count / seconds / 1e6;
}

static const stream_way rate_ways[] = {
    {"uncoalesced", stream_rate, &(const stream_sending){.coalesce_ms = -1}},
    {"uncoalesced, thread_safe", stream_rate,
     &(const stream_sending){.coalesce_ms = -1, .thread_safe = true}},
    {"coalesced", stream_rate, &(const stream_sending){0}},
    {"coalesced, thread_safe", stream_rate, &(const stream_sending){.thread_safe = true}}};

bool stream_bench_rate(const stream_settings *settings)
{
    char title[160];
    snprintf(title, sizeof title, "rate: million messages of %zu bytes per second, %ld a round",
             rate_bytes(settings), rate_count(settings));
    return stream_compare(settings, title, rate_ways, 4);
}

static size_t long_bytes(const stream_settings *settings)
{
    return settings->bytes > 0 ? settings->bytes : (size_t)1 << 20;
}

static long long_count(const stream_settings *settings)
{
    return settings->count > 0 ? settings->count : 2000;
}

static double megabytes(const stream_settings *settings, double seconds)
{
    if (seconds < 0) return -1;
    return (double)long_bytes(settings) * (double)long_count(settings) / seconds / 1e6;
}

double stream_bandwidth(const stream_settings *settings, const void *how)
{
    const stream_sending *sending = how;
    const tutti_stream_options options = {.provider = settings->provider,
                                          .buffer_bytes = long_bytes(settings),
                                          .credits = settings->credits > 0 ? settings->credits : LONG_CREDITS,
                                          .coalesce_ms = sending->coalesce_ms,
                                          .thread_safe = sending->thread_safe};
    return megabytes(settings,
                     run_flow(long_bytes(settings), long_count(settings), sending->in_place, &options));
}

static double by_socket(const stream_settings *settings, const void *how)
{
    (void)how;
    return megabytes(settings, stream_over_a_socket(long_bytes(settings), long_count(settings)));
}

static const stream_way bandwidth_ways[] = {
    {"TCP socket", by_socket, NULL},
    {"stream, in place", stream_bandwidth, &(const stream_sending){.in_place = true}},
    {"stream, from buffers", stream_bandwidth, &(const stream_sending){0}}};

bool stream_bench_bandwidth(const stream_settings *settings)
{
    char title[160];
    snprintf(title, sizeof title, "bandwidth: MB (10^6) per second in messages of %zu bytes, %ld a round",
             long_bytes(settings), long_count(settings));
    return stream_compare(settings, title, bandwidth_ways, 3);
}

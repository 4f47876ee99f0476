/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets between two and more ranks over one provider, the first argument: every size, order, floods against
 * receivers that do not poll, and the end of what they never take. */
#include <string.h>

#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"
#include "tests/unit/fabric/fabric_ranks.h"

#define FLOOD 30000

static const char *provider;

typedef struct {
    uint32_t source, number;
} head;

static uint32_t expected[16];
static long arrived;
static tti_fabric *fabric;

static uint8_t pattern(uint32_t number, size_t i)
{
    return (uint8_t)(number * 7 + i * 13 + (i >> 8));
}

static void on_packet(void *context, int rank, const void *packet, size_t bytes)
{
    const head *h = packet;
    EXPECT(context == &arrived && ((uintptr_t)packet & 7) == 0 && bytes >= sizeof *h);
    EXPECT(h->source == (uint32_t)rank && h->number == expected[h->source]);
    expected[h->source]++;
    const uint8_t *body = (const uint8_t *)(h + 1);
    for (size_t i = 0; i < bytes - sizeof *h; i++)
        EXPECT(body[i] == pattern(h->number, i));
    arrived++;
}

static void on_failure(void *context, int rank, int code)
{
    (void)context;
    fprintf(stderr, "unexpected failure of rank %d: %d %s\n", rank, code, tutti_error_detail());
    exit(1);
}

static void send_one(int to, int from, uint32_t number, size_t body_bytes)
{
    static uint8_t body[1 << 17];
    const head h = {(uint32_t)from, number};
    for (size_t i = 0; i < body_bytes; i++)
        body[i] = pattern(number, i);
    int code;
    while ((code = tti_fabric_send(fabric, to, &h, sizeof h, body, body_bytes)) == 1)
        tti_fabric_poll(fabric);
    EXPECT(code == 0);
}

static void poll_until(long count)
{
    while (arrived < count)
        tti_fabric_poll(fabric);
}

static void flush(void)
{
    while (!tti_fabric_idle(fabric, UINT64_MAX))
        tti_fabric_poll(fabric);
}

static void leave(void)
{
    flush();
    int ticket = -1;
    while (!met(&ticket))
        tti_fabric_poll(fabric);
    tti_fabric_close(fabric);
}

static void open_fabric(const tti_job *job)
{
    EXPECT(tti_fabric_open(job, on_packet, on_failure, &arrived, &fabric) == 0);
    const tti_fabric_limits *limits = tti_fabric_limits_of(fabric);
    EXPECT(strcmp(limits->provider, provider) == 0 || strcmp(provider, "tcp") == 0);
    EXPECT(limits->packet_max >= 8192 && limits->tag_bits >= 32);
}

/* Every size up to the limit, to every rank, one's own as well. */
static void all_sizes(const tti_job *job)
{
    open_fabric(job);
    const size_t most = tti_fabric_limits_of(fabric)->packet_max - sizeof(head);
    uint32_t number = 0;
    for (size_t bytes = 0; bytes <= most; bytes += bytes < 600                          ? 1
                                                   : bytes + 997 > most && bytes < most ? most - bytes
                                                                                        : 997) {
        for (int to = 0; to < job->size; to++)
            send_one(to, job->rank, number, bytes);
        number++;
    }
    poll_until((long)number * job->size);
    leave();
}

/* Rank 1 does not look until everything that fits has been sent, and then some. */
static void flood(const tti_job *job)
{
    open_fabric(job);
    if (job->rank == 0) {
        for (uint32_t number = 0; number < FLOOD; number++)
            send_one(1, 0, number, number % 50);
        for (uint32_t number = FLOOD; number < FLOOD + 2000; number++)
            send_one(1, 0, number, 3000 + number % 6000);
    } else {
        const int64_t awake = tti_clock_ns() + TTI_NS_PER_SECOND;
        send_one(0, 1, 0, 8);
        while (tti_clock_ns() < awake)
            ;
        poll_until(FLOOD + 2000);
    }
    leave();
}

/* Everyone floods everyone at the same time. */
static void cross_flood(const tti_job *job)
{
    open_fabric(job);
    for (uint32_t number = 0; number < 5000; number++) {
        for (int to = 0; to < job->size; to++) {
            if (to != job->rank) send_one(to, job->rank, number, number % 2000);
        }
    }
    poll_until(5000L * (job->size - 1));
    leave();
}

static tti_fabric_op in_place_op;
static long in_place_begun, in_place_ended;

static void on_sent(tti_fabric_op *op, int code)
{
    EXPECT(op == &in_place_op && code == 0);
    in_place_ended++;
}

/* From where it lies, if it may be, as one that is too long to be copied must; what lay there is overwritten
 * as soon as that is over. */
static void send_in_place(int to, int from, uint32_t number, size_t body_bytes)
{
    static uint8_t body[1 << 18];
    const size_t copied_most = tti_fabric_limits_of(fabric)->packet_max - sizeof(head);
    while (in_place_ended < in_place_begun)
        tti_fabric_poll(fabric);
    memset(body, 0, sizeof body);
    for (int look = 0; (look < 100 || body_bytes > copied_most) && !tti_fabric_is_clear(fabric, to); look++)
        tti_fabric_poll(fabric);
    if (!tti_fabric_is_clear(fabric, to)) {
        send_one(to, from, number, body_bytes);
        return;
    }
    const head h = {(uint32_t)from, number};
    for (size_t i = 0; i < body_bytes; i++)
        body[i] = pattern(number, i);
    in_place_op.done = on_sent;
    int code;
    while ((code = tti_fabric_send_in_place(fabric, to, &h, sizeof h, body, body_bytes, &in_place_op)) == 1)
        tti_fabric_poll(fabric);
    EXPECT(code == 0);
    in_place_begun++;
}

/* Packets sent from where they lie keep their place among those that are copied, also behind a receiver that
 * does not look for a while. */
static void in_place(const tti_job *job)
{
    const uint32_t packets = 3000;
    open_fabric(job);
    const tti_fabric_limits *limits = tti_fabric_limits_of(fabric);
    const size_t copied_most = limits->packet_max - sizeof(head), most = limits->in_place_max - sizeof(head);
    const int to = 1 - job->rank;
    const bool works = limits->has_in_place;
    EXPECT(works ? most > copied_most : most == copied_most);
    const int64_t awake = tti_clock_ns() + TTI_NS_PER_SECOND / 2;
    send_one(to, job->rank, 0, 8);
    while (job->rank == 1 && tti_clock_ns() < awake)
        ;
    for (uint32_t number = 1; number < packets; number++) {
        const size_t bytes = number * 7919 % (number % 4 == 0 ? most + 1 : 2001); /* one in four is large */
        if (works && number % 3 > 0)
            send_in_place(to, job->rank, number, bytes);
        else
            send_one(to, job->rank, number, bytes % (copied_most + 1));
    }
    poll_until(packets);
    leave();
    EXPECT(in_place_ended == in_place_begun && (in_place_begun > 0 || !works));
}

/* All connect to all at the same moment. */
static void crowd(const tti_job *job)
{
    open_fabric(job);
    meet();
    for (uint32_t number = 0; number < 50; number++) {
        for (int step = 0; step < job->size; step++)
            send_one((job->rank + step) % job->size, job->rank, number, 20 + number);
    }
    poll_until(50L * job->size);
    leave();
}

#define STILL_RANKS 6
#define STILL_ROUNDS 3
#define STILL_PACKETS 100

/* Sends as much as there is room for to all but the last rank, none of which looks, and a packet to that. */
static void pass_by(uint32_t sent[STILL_RANKS], uint32_t round)
{
    const int last = STILL_RANKS - 1;
    while (!tti_fabric_is_clear(fabric, last))
        tti_fabric_poll(fabric);
    for (int to = 1; to < last; to++)
        for (int i = 0; i < STILL_PACKETS; i++, sent[to]++) {
            const head h = {0, sent[to]};
            if (tti_fabric_send(fabric, to, &h, sizeof h, NULL, 0) != 0) break;
        }
    const head h = {0, sent[last]++};
    EXPECT(tti_fabric_send(fabric, last, &h, sizeof h, NULL, 0) == 0);
    poll_until(round + 1);
}

/* Ranks that do not look have all buffers that ranks share: the way to another one is open nevertheless. */
static void still(const tti_job *job)
{
    uint32_t sent[STILL_RANKS] = {0};
    const int last = STILL_RANKS - 1;
    open_fabric(job);
    for (int to = 1; to <= last && job->rank == 0; to++)
        send_one(to, 0, sent[to]++, 0);
    if (job->rank != 0) poll_until(1);
    meet();
    for (uint32_t round = 0; round < STILL_ROUNDS; round++) {
        if (job->rank == 0) pass_by(sent, round);
        if (job->rank == last) poll_until(2 + round);
        if (job->rank == last) send_one(0, last, round, 0);
    }
    if (job->rank == last) flush();
    meet();
    for (int to = 1; to < last && job->rank == 0; to++)
        while (sent[to] < 1 + STILL_ROUNDS * STILL_PACKETS)
            send_one(to, 0, sent[to]++, 0);
    if (job->rank > 0 && job->rank < last) poll_until(1 + STILL_ROUNDS * STILL_PACKETS);
    leave();
}

/* Until nothing more goes into the sockets, or what the provider has in their place. */
static void stuff(int to)
{
    static const uint8_t body[4096];
    const head h = {0, 1};
    for (int refused = 0; refused < 1000; tti_fabric_poll(fabric))
        refused = tti_fabric_send(fabric, to, &h, sizeof h, body, sizeof body) == 1 ? refused + 1 : 0;
}

/* Rank 1 takes nothing any more. Rank 0 has parted with it and told it so, or tried to: when it counts as
 * dead what was on the way to it holds nobody up. */
static void given_up(const tti_job *job)
{
    open_fabric(job);
    if (job->rank == 0) send_one(1, 0, 0, 0);
    if (job->rank == 1) poll_until(1);
    meet();
    if (job->rank == 0) {
        stuff(1);
        tti_fabric_part(fabric, 1);
        EXPECT(tti_fabric_send_last(fabric, 1, "x", 2) >= 0);
        tti_fabric_peer_died(fabric, 1);
        const int64_t since = tti_clock_ns();
        while (!tti_fabric_idle(fabric, UINT64_MAX) && tti_clock_ns() - since < PATIENCE_NS)
            tti_fabric_poll(fabric);
        EXPECT(tti_fabric_idle(fabric, UINT64_MAX));
    }
    meet();
    tti_fabric_close(fabric);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    provider = argv[1];
    char option[64];
    snprintf(option, sizeof option, "TUTTI_PROVIDER=%s", provider);
    const char *const set[] = {option, NULL};
    run_ranks(2, -1, set, all_sizes);
    run_ranks(2, -1, set, flood);
    run_ranks(2, -1, set, in_place);
    run_ranks(3, -1, set, cross_flood);
    run_ranks(12, -1, set, crowd);
    run_ranks(STILL_RANKS, -1, set, still);
    run_ranks(2, -1, set, given_up);
    return 0;
}

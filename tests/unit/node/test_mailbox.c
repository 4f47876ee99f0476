/* SPDX-License-Identifier: BSD-3-Clause */
/* Mailboxes: every packet arrives once, whole and in order of its pair, in rings of the real sizes and in
 * rings so small that every corner is met all the time. */
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/node/mailbox.h"
#include "runtime/node/view.h"
#include "tests/unit/node/node_threads.h"

typedef struct {
    uint32_t from, number;
} head;

typedef struct {
    tti_node *node;
    uint32_t expected[RANKS_MAX]; /* number of the next packet, per sender */
    int got;
} receiver;

static int packets_each;

/* Sizes differ from packet to packet and can be computed at both ends. */
static size_t size_of(uint32_t from, uint32_t to, uint32_t number, size_t most)
{
    uint32_t x = (from * 7919 + to * 104729 + number) * 2654435761U;
    x ^= x >> 15;
    const bool small = (x & 7) != 0;
    const size_t size = (x >> 3) % (small ? 100 : most + 1);
    return size < most ? size : most;
}

static size_t most_of(const tti_node *node)
{
    const size_t data = node->shape.data_bytes - TTI_NODE_LINE;
    return (data < TTI_NODE_PACKET_MAX ? data : TTI_NODE_PACKET_MAX) - sizeof(head);
}

static void check_packet(void *context, int peer, const void *packet, size_t bytes)
{
    receiver *r = context;
    head h;
    EXPECT(bytes >= sizeof h && (uintptr_t)packet % 8 == 0);
    memcpy(&h, packet, sizeof h);
    EXPECT(h.from == (uint32_t)peer && h.number == r->expected[peer]);
    const size_t body = size_of(h.from, (uint32_t)r->node->index, h.number, most_of(r->node));
    EXPECT(bytes == sizeof h + body);
    const unsigned char *at = (const unsigned char *)packet + sizeof h;
    for (size_t i = 0; i < body; i++)
        EXPECT(at[i] == (unsigned char)(h.number + i));
    r->expected[peer]++;
    r->got++;
}

static int send_one(tti_node *node, int peer, uint32_t number, unsigned char *body)
{
    const head h = {(uint32_t)node->index, number};
    const size_t bytes = size_of(h.from, (uint32_t)peer, number, most_of(node));
    for (size_t i = 0; i < bytes; i++)
        body[i] = (unsigned char)(number + i);
    return tti_node_send(node, peer, &h, sizeof h, bytes > 0 ? body : NULL, bytes);
}

/* Each rank sends so many packets to each rank, itself included, taking in what comes. */
static void all_to_all(tti_node *node)
{
    receiver r = {.node = node};
    uint32_t sent[RANKS_MAX] = {0};
    node->out[0].past_least = TTI_NODE_LINE; /* what goes to rank 0 is written past the caches */
    unsigned char body[TTI_NODE_PACKET_MAX];
    const int total = packets_each * node->ranks;
    for (int left = total; left > 0 || r.got < total;) {
        int progress = 0;
        for (int peer = 0; peer < node->ranks; peer++) {
            if (sent[peer] == (uint32_t)packets_each) continue;
            const int code = send_one(node, peer, sent[peer], body);
            EXPECT(code == 0 || code == 1);
            if (code == 1) continue;
            sent[peer]++;
            left--;
            progress++;
        }
        progress += tti_node_poll(node, 5, check_packet, &r);
        if (progress == 0) sched_yield();
    }
    EXPECT(tti_node_poll(node, 1, check_packet, &r) == 0);
}

/* Rank 1 floods rank 0, which looks rarely. */
static void flood(tti_node *node)
{
    receiver r = {.node = node};
    unsigned char body[TTI_NODE_PACKET_MAX];
    if (node->index == 0)
        while (r.got < packets_each) {
            if (tti_node_poll(node, 1000, check_packet, &r) == 0) sched_yield();
        }
    else
        for (uint32_t sent = 0; sent < (uint32_t)packets_each;) {
            const int code = send_one(node, 0, sent, body);
            EXPECT(code == 0 || code == 1);
            if (code == 1) sched_yield();
            sent += code == 0;
        }
}

static void count_packet(void *context, int peer, const void *packet, size_t bytes)
{
    (void)peer, (void)packet, (void)bytes;
    ++*(int *)context;
}

/* A full mailbox says so, loses nothing, and has room again once it was read. */
static void test_full(size_t bytes)
{
    void *segment = NULL;
    tti_node *a, *b;
    static alignas(TTI_NODE_LINE) const unsigned char packet[TTI_NODE_PACKET_MAX];
    const unsigned char *body =
        packet + 8; /* lies in its line as in the area: no room is left free for that */
    EXPECT(tti_node_open_threads(2, 0, &segment, &a) == 0);
    EXPECT(tti_node_open_threads(2, 1, &segment, &b) == 0);
    for (int round = 0; round < 5; round++) {
        int sent = 0, got = 0;
        while (tti_node_send(a, 1, packet, 8, body, bytes - 8) == 0)
            sent++;
        EXPECT(sent > 0 && tti_node_send(a, 1, packet, 8, body, bytes - 8) == 1);
        EXPECT(tti_node_poll(b, 1, count_packet, &got) == 1 && got == 1);
        EXPECT(tti_node_send(a, 1, packet, 8, body, bytes - 8) == 0);
        while (tti_node_poll(b, 1000, count_packet, &got) > 0) {
        }
        EXPECT(got == sent + 1);
    }
    EXPECT(tti_node_send(a, 1, packet, 8, packet, TTI_NODE_PACKET_MAX) == TUTTI_ERR_ARG);
    tti_node_close(a);
    tti_node_close(b);
}

static void count_sender(void *context, int peer, const void *packet, size_t bytes)
{
    (void)packet, (void)bytes;
    ((int *)context)[peer]++;
}

#define FIRST_FLOOD 3
#define LAST_FLOOD 9

/* Seven floods leave its turn to an eighth sender, wherever its bit is, and to each other. */
static void test_turns(int eighth)
{
    enum { RANKS = 16 };
    void *segment = NULL;
    tti_node *nodes[RANKS];
    int got[RANKS] = {0}, polls = 0, served = 0;
    for (int r = 0; r < RANKS; r++)
        EXPECT(tti_node_open_threads(RANKS, r, &segment, &nodes[r]) == 0);
    EXPECT(tti_node_send(nodes[eighth], 0, "", 1, NULL, 0) == 0);
    while (served < 1 + LAST_FLOOD - FIRST_FLOOD + 1) {
        EXPECT(polls++ < 20);
        for (int r = FIRST_FLOOD; r <= LAST_FLOOD; r++)
            while (tti_node_send(nodes[r], 0, "", 1, NULL, 0) == 0)
                continue;
        EXPECT(tti_node_poll(nodes[0], 64, count_sender, got) == 64);
        served = 0;
        for (int r = 0; r < RANKS; r++)
            served += got[r] > 0;
    }
    for (int r = 0; r < RANKS; r++)
        tti_node_close(nodes[r]);
}

/* Once the receiver has taken all, the next packet goes to lines that both have, if they are near each other;
 * if not, behind the last one. */
static void test_front(int64_t passage_ns, bool alone, bool front_again)
{
    void *segment = NULL;
    tti_node *a, *b;
    static alignas(TTI_NODE_LINE) const unsigned char body[2 * TTI_NODE_PAGE];
    int got = 0;
    EXPECT(tti_node_open_threads(2, 0, &segment, &a) == 0);
    EXPECT(tti_node_open_threads(2, 1, &segment, &b) == 0);
    a->alone = alone;
    a->out[1].passage_ns = passage_ns;
    a->out[1].past_least = TTI_NODE_PACKET_MAX + 1;
    for (uint32_t packets = 1; packets <= 3; packets++) {
        EXPECT(tti_node_send(a, 1, NULL, 0, body, sizeof body) == 0);
        EXPECT(a->out[1].data_head == (front_again ? 1 : packets) * (uint32_t)sizeof body);
        EXPECT(tti_node_poll(b, 1, count_packet, &got) == 1);
    }
    tti_node_close(a);
    tti_node_close(b);
}

static unsigned char alike[TTI_NODE_PAGE + TTI_NODE_LINE];

static void check_alike(void *context, int peer, const void *packet, size_t bytes)
{
    const unsigned char *from = context, *to = (const unsigned char *)packet + 16;
    (void)peer;
    EXPECT(bytes == 16 + TTI_NODE_PAGE && memcmp(to, from, TTI_NODE_PAGE) == 0);
    EXPECT(((uintptr_t)from - (uintptr_t)to) % TTI_NODE_LINE < 8);
    EXPECT((uintptr_t)packet % 8 == 0);
}

/* A long body lies in lines as the sender's data do, wherever these are. */
static void test_lines_alike(void)
{
    void *segment = NULL;
    tti_node *a, *b;
    EXPECT(tti_node_open_threads(2, 0, &segment, &a) == 0);
    EXPECT(tti_node_open_threads(2, 1, &segment, &b) == 0);
    for (size_t at = 0; at < sizeof alike; at++)
        alike[at] = (unsigned char)(at % 251);
    for (size_t at = 0; at < TTI_NODE_LINE; at++) {
        EXPECT(tti_node_send(a, 1, alike, 16, alike + at, TTI_NODE_PAGE) == 0);
        EXPECT(tti_node_poll(b, 1, check_alike, alike + at) == 1);
    }
    tti_node_close(a);
    tti_node_close(b);
}

/* Whoever goes on to further pages gets them before they are touched, as many as there were; and no more. */
static void test_pages_early(void)
{
    void *segment = NULL;
    tti_node *node;
    static alignas(TTI_NODE_LINE) const unsigned char body[2 * TTI_NODE_PAGE];
    unsigned char resident[8] = {0};
    EXPECT(tti_node_open_threads(2, 0, &segment, &node) == 0);
    EXPECT(tti_node_send(node, 1, NULL, 0, body, sizeof body) == 0);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    EXPECT(mincore(node->out[1].data, sizeof resident * page, resident) == 0);
    for (size_t at = 0; page == TTI_NODE_PAGE && at < sizeof resident; at++)
        EXPECT((resident[at] & 1) == (at < 4));
    tti_node_close(node);
}

static void see_as(tti_node *node, const tti_crossings *crossings)
{
    node->header->crossings = *crossings;
    tti_node_expect_passage(node, &node->out[1 - node->index]);
}

/* Two that were far from each other when the machine was measured, and are near now: the kernel's copies pay
 * later, unless the user says from where on. */
static void test_nearness(bool forced)
{
    void *segment = NULL;
    tti_node *a, *b;
    tti_figures far = tti_figures_typical();
    far.value[TTI_FIGURE_LOAD] = 5000;
    far.value[TTI_FIGURE_SHARED_MIB] = 300000;
    far.value[TTI_FIGURE_PIECE_MIB] = 600000;
    tti_crossings crossings = tti_crossings_of(&far);
    if (forced) tti_crossings_force(&crossings, 4096);
    EXPECT(tti_node_open_threads(2, 0, &segment, &a) == 0);
    EXPECT(tti_node_open_threads(2, 1, &segment, &b) == 0);
    see_as(a, &crossings);
    see_as(b, &crossings);
    const size_t before = tti_node_single_least(a, 1, TTI_CROSSING_ALLGATHER);
    EXPECT(before == crossings.single[TTI_CROSSING_ALLGATHER] && before < TTI_CROSSING_NEVER);
    for (int i = 0; i < 200; i++) {
        tti_node_single_least(b, 0, TTI_CROSSING_ALLGATHER);
        tti_node_single_least(a, 1, TTI_CROSSING_ALLGATHER);
    }
    EXPECT((tti_node_single_least(a, 1, TTI_CROSSING_ALLGATHER) > before) == !forced);
    tti_node_close(a);
    tti_node_close(b);
}

static void note(tti_node *node, int times, int64_t ns)
{
    while (times-- > 0)
        tti_node_note_passage(node, &node->out[1 - node->index], ns);
}

/* One look that says otherwise changes no way; many do. */
static void test_passage(void)
{
    void *segment = NULL;
    tti_node *node;
    tti_figures near = tti_figures_typical();
    near.value[TTI_FIGURE_LOAD] = 50;
    near.value[TTI_FIGURE_SHARED_MIB] = 22000;
    near.value[TTI_FIGURE_PIECE_MIB] = 36000;
    near.value[TTI_FIGURE_KERNEL_MIB] = 60000;
    near.value[TTI_FIGURE_PAST_MIB] = 70000;
    const tti_crossings crossings = tti_crossings_of(&near);
    EXPECT(tti_node_open_threads(2, 0, &segment, &node) == 0);
    see_as(node, &crossings);
    EXPECT(node->out[1].fetch_least == TTI_CROSSING_NEVER);
    note(node, 10, 50);
    note(node, 1, 100000);
    EXPECT(node->out[1].fetch_least == TTI_CROSSING_NEVER);
    note(node, 16, 150);
    const size_t far = node->out[1].fetch_least;
    EXPECT(far < TTI_CROSSING_NEVER);
    note(node, 1, 0);
    EXPECT(node->out[1].fetch_least == far);
    note(node, 16, 50);
    EXPECT(node->out[1].fetch_least == TTI_CROSSING_NEVER);
    tti_node_close(node);
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    test_front(40, true, true);
    test_front(70, true, false);
    test_front(70, false, true); /* they take turns on a processor */
    test_front(160, false, false);
    test_pages_early();
    test_nearness(false);
    test_nearness(true);
    test_passage();
    test_full(16);
    test_lines_alike();
    test_turns(2);
    test_turns(10);
    test_turns(15);
    test_full(16384); /* divides the room: else the rest at its end is left free */
    tti_node_shape shape = tti_node_shape_for(2);
    packets_each = 6000;
    run_ranks(&shape, all_to_all);
    run_ranks(&shape, flood);
    shape = tti_node_shape_for(16);
    packets_each = 100;
    run_ranks(&shape, all_to_all);
    for (uint32_t bells = 0; bells < 2; bells++) {
        packets_each = 1500;
        shape = (tti_node_shape){3, 2, 16, 256, bells, 0, {0, 0}};
        run_ranks(&shape, all_to_all);
        packets_each = 10000;
        shape = (tti_node_shape){2, 3, 8, 1024, bells, 0, {0, 0}};
        run_ranks(&shape, flood);
    }
    return 0;
}

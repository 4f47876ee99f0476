/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that no rank sends, one wrong field at a time: the rank that sent it counts as lost, no other does,
 * and nothing else happens. Beside each stands one that differs in that field alone and passes. */
#include <string.h>

#include "runtime/base/options.h"
#include "runtime/base/wire.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/rma_messages.h"
#include "runtime/rma/window_state.h"
#include "tests/unit/expect.h"
#include "tests/unit/p2p/lone_rank.h"

#define FAR 2  /* a rank over the fabric */
#define FAR2 3 /* and another */
#define LONG 100000

typedef union {
    tti_packet_head head;
    tti_packet_sync sync;
    tti_packet_rts rts;
    tti_packet_cts cts;
    tti_packet_data data;
    tti_packet_fin fin;
    tti_packet_stop stop;
    tti_packet_help help;
    unsigned char bytes[512];
} packet;

static char buffer[LONG];

static packet make(int rank, enum tti_packet_kind kind)
{
    packet p = {.head = tti_packet_head_for(kind, rank, 0, 0)};
    return p;
}

static void expect_lost(int rank, bool lost, const char *what)
{
    for (int r = 1; r < LONE_RANKS; r++) {
        if (tti_lost_is_dead(r) == (lost && r == rank)) continue;
        fprintf(stderr, "%s: rank %d is %slost\n", what, r, tti_lost_is_dead(r) ? "" : "not ");
        EXPECT(!"lost as expected");
    }
}

/* A rank of its own for each packet; `sound`: whether it passes. */
static void send_alone(const char *what, int rank, const packet *p, size_t bytes, bool sound)
{
    lone_open();
    lone_receive(rank, p, bytes);
    expect_lost(rank, !sound, what);
    lone_close();
}

#define GOOD(rank, p, bytes) send_alone(#p " of " #bytes, rank, &(p), bytes, true)
#define BAD(rank, p, bytes, change)                                                                          \
    do {                                                                                                     \
        packet bad_ = (p);                                                                                   \
        packet *wrong = &bad_;                                                                               \
        change;                                                                                              \
        send_alone(#p " with " #change, rank, wrong, bytes, false);                                          \
    } while (0)

static void heads(void)
{
    const packet eager = make(FAR, TTI_PACKET_EAGER);
    GOOD(FAR, eager, sizeof eager.head);
    GOOD(FAR, eager, sizeof eager.head + 8);
    for (size_t bytes = 0; bytes < sizeof eager.head; bytes++)
        send_alone("a short head", FAR, &eager, bytes, false);
    BAD(FAR, eager, sizeof eager.head, wrong->head.version++);
    BAD(FAR, eager, sizeof eager.head, wrong->head.kind = 0);
    BAD(FAR, eager, sizeof eager.head, wrong->head.kind = TTI_PACKET_KINDS);
    BAD(FAR, eager, sizeof eager.head, wrong->head.kind = 255);
    BAD(FAR, eager, sizeof eager.head, wrong->head.source = FAR2);
    BAD(FAR, eager, sizeof eager.head, wrong->head.source = -1);
    BAD(FAR, eager, sizeof eager.head, wrong->head.source = LONE_RANKS);
    BAD(FAR, eager, sizeof eager.head, wrong->head.tag = -1);
    const packet near = make(LONE_NEIGHBOUR, TTI_PACKET_EAGER);
    GOOD(LONE_NEIGHBOUR, near, sizeof near.head);
    BAD(LONE_NEIGHBOUR, near, sizeof near.head, wrong->head.source = FAR);
    /* This rank's own name is not one that another may bear. */
    const packet own = make(0, TTI_PACKET_LEFT);
    send_alone("one in this rank's name", FAR, &own, sizeof own.head, false);
}

/* Each kind is as long as it is, not a byte shorter, and longer only if data follows. */
static void lengths(void)
{
    static const struct {
        size_t bytes;
        bool exact;
    } kinds[TTI_PACKET_KINDS] = {
        [TTI_PACKET_EAGER] = {sizeof(tti_packet_head), false},
        [TTI_PACKET_EAGER_SYNC] = {sizeof(tti_packet_sync), false},
        [TTI_PACKET_RTS] = {sizeof(tti_packet_rts), true},
        [TTI_PACKET_CTS] = {sizeof(tti_packet_cts), true},
        [TTI_PACKET_DATA] = {sizeof(tti_packet_data), false},
        [TTI_PACKET_FIN] = {sizeof(tti_packet_fin), true},
        [TTI_PACKET_WITHDRAW] = {sizeof(tti_packet_sync), true},
        [TTI_PACKET_CANCEL] = {sizeof(tti_packet_sync), true},
        [TTI_PACKET_HELP] = {sizeof(tti_packet_help), true},
        [TTI_PACKET_GOODBYE] = {sizeof(tti_packet_head), true},
    };
    for (int kind = 1; kind < TTI_PACKET_KINDS; kind++) {
        if (kinds[kind].bytes == 0) continue;
        packet p;
        memset(&p, 1, sizeof p);
        p.head = tti_packet_head_for((enum tti_packet_kind)kind, LONE_NEIGHBOUR, 0, 0);
        if (kind == TTI_PACKET_FIN) p.fin.error = 0;
        send_alone("just long enough", LONE_NEIGHBOUR, &p, kinds[kind].bytes, true);
        send_alone("too short", LONE_NEIGHBOUR, &p, kinds[kind].bytes - 1, false);
        send_alone("longer", LONE_NEIGHBOUR, &p, kinds[kind].bytes + 1, !kinds[kind].exact);
    }
    const packet left = make(FAR, TTI_PACKET_LEFT), lost = make(FAR, TTI_PACKET_LOST);
    lone_open();
    lone_receive(FAR, &lost, sizeof lost.head);
    lone_receive(FAR2, &left, sizeof left.head); /* says that it is of another */
    EXPECT(tti_lost_is_dead(FAR) && tti_lost_is_dead(FAR2) && !tti_peers.left[FAR2]);
    lone_close();
}

static void fields(void)
{
    packet sync = make(FAR, TTI_PACKET_EAGER_SYNC);
    sync.sync.send_id = 7;
    GOOD(FAR, sync, sizeof sync.sync);
    BAD(FAR, sync, sizeof sync.sync, wrong->sync.send_id = 0);
    BAD(FAR, sync, sizeof sync.sync, (wrong->head.kind = TTI_PACKET_CANCEL, wrong->sync.send_id = 0));
    packet rts = make(FAR, TTI_PACKET_RTS);
    rts.rts = (tti_packet_rts){rts.head, 7, 0, LONG, UINT64_MAX - LONG};
    GOOD(FAR, rts, sizeof rts.rts);
    BAD(FAR, rts, sizeof rts.rts, wrong->rts.send_id = 0);
    BAD(FAR, rts, sizeof rts.rts, wrong->rts.address++);
    BAD(FAR, rts, sizeof rts.rts, wrong->rts.first = LONG + 1);
    BAD(FAR, rts, sizeof rts.rts, (wrong->rts.address = 0, wrong->rts.bytes = UINT64_C(1) << 63));
    packet cts = make(FAR, TTI_PACKET_CTS);
    cts.cts = (tti_packet_cts){cts.head, 7, 8, 0, 9, 9};
    GOOD(FAR, cts, sizeof cts.cts);
    BAD(FAR, cts, sizeof cts.cts, wrong->cts.send_id = 0);
    BAD(FAR, cts, sizeof cts.cts, wrong->cts.recv_id = 0);
    BAD(FAR, cts, sizeof cts.cts, wrong->cts.bytes = UINT64_MAX);
    BAD(FAR, cts, sizeof cts.cts, wrong->cts.posted = 10);
    packet fin = make(FAR, TTI_PACKET_FIN);
    fin.fin = (tti_packet_fin){fin.head, 7, TUTTI_ERR_UNSUPPORTED};
    GOOD(FAR, fin, sizeof fin.fin);
    BAD(FAR, fin, sizeof fin.fin, wrong->fin.send_id = 0);
    BAD(FAR, fin, sizeof fin.fin, wrong->fin.error = 1);
    BAD(FAR, fin, sizeof fin.fin, wrong->fin.error = -10000);
    packet stop = make(FAR, TTI_PACKET_STOP);
    stop.stop = (tti_packet_stop){stop.head, 7, TUTTI_ERR_FABRIC};
    GOOD(FAR, stop, sizeof stop.stop);
    BAD(FAR, stop, sizeof stop.stop, wrong->stop.recv_id = 0);
    BAD(FAR, stop, sizeof stop.stop, wrong->stop.error = 0);
    BAD(FAR, stop, sizeof stop.stop, wrong->stop.error = -10000);
    packet help = make(LONE_NEIGHBOUR, TTI_PACKET_HELP);
    help.help = (tti_packet_help){help.head, 7, 1, 4096, 10};
    GOOD(LONE_NEIGHBOUR, help, sizeof help.help);
    BAD(LONE_NEIGHBOUR, help, sizeof help.help, wrong->help.send_id = 0);
    BAD(LONE_NEIGHBOUR, help, sizeof help.help, wrong->help.bytes = 0);
    BAD(LONE_NEIGHBOUR, help, sizeof help.help, wrong->help.address = UINT64_MAX - 9);
}

/* What only neighbours send to each other, or never. */
static void ways(void)
{
    static const enum tti_packet_kind near[] = {TTI_PACKET_DATA, TTI_PACKET_HELP, TTI_PACKET_WITHDRAW};
    static const size_t bytes[] = {sizeof(tti_packet_data), sizeof(tti_packet_help), sizeof(tti_packet_sync)};
    for (int i = 0; i < 3; i++) {
        packet p;
        memset(&p, 1, sizeof p);
        p.head = tti_packet_head_for(near[i], LONE_NEIGHBOUR, 0, 0);
        send_alone("over the node", LONE_NEIGHBOUR, &p, bytes[i], true);
        p.head.source = FAR;
        send_alone("over the fabric", FAR, &p, bytes[i], false);
    }
    packet stop = make(LONE_NEIGHBOUR, TTI_PACKET_STOP);
    stop.stop = (tti_packet_stop){stop.head, 7, TUTTI_ERR_FABRIC};
    send_alone("STOP over the node", LONE_NEIGHBOUR, &stop, sizeof stop.stop, false);
}

/* A peer asks for more of a message than there is, and gets nothing. */
static void more_than_there_is(void)
{
    for (int more = 0; more < 2; more++) {
        tutti_request *request;
        lone_open();
        EXPECT(tutti_isend(lone.world, buffer, LONG, FAR, 3, &request) == 0);
        packet cts = make(FAR, TTI_PACKET_CTS);
        cts.cts = (tti_packet_cts){cts.head, lone_announced(FAR), 5, 0, LONG + (uint64_t)more, LONG};
        lone_receive(FAR, &cts, sizeof cts.cts);
        expect_lost(FAR, more > 0, "CTS");
        lone_finish_bulk();
        EXPECT(tutti_wait(&request, NULL) == (more > 0 ? TUTTI_ERR_PEER_FAILED : 0));
        lone_close();
    }
}

/* A neighbour sends more data than was asked for: none of it goes beyond the buffer. */
static void more_than_was_asked(void)
{
    for (int more = 0; more < 2; more++) {
        static char in[64];
        tutti_request *request;
        memset(in, 0, sizeof in);
        lone_open();
        EXPECT(tutti_irecv(lone.world, in, 40, LONE_NEIGHBOUR, 3, &request) == 0);
        packet rts = make(LONE_NEIGHBOUR, TTI_PACKET_RTS);
        rts.head.tag = 3;
        rts.rts = (tti_packet_rts){rts.head, 7, 0, 40, 0};
        lone_receive(LONE_NEIGHBOUR, &rts, sizeof rts.rts);
        EXPECT(lone.last[LONE_NEIGHBOUR].bytes == sizeof(tti_packet_cts));
        const tti_packet_cts *cts = (const void *)lone.last[LONE_NEIGHBOUR].at;
        packet data;
        memset(&data, 9, sizeof data);
        data.data =
            (tti_packet_data){tti_packet_head_for(TTI_PACKET_DATA, LONE_NEIGHBOUR, 0, 3), cts->recv_id, 0};
        lone_receive(LONE_NEIGHBOUR, &data, sizeof data.data + 40 + (size_t)more);
        expect_lost(LONE_NEIGHBOUR, more > 0, "DATA");
        EXPECT(tutti_wait(&request, NULL) == (more > 0 ? TUTTI_ERR_PEER_FAILED : 0));
        EXPECT(in[39] == (more > 0 ? 0 : 9) && in[40] == 0);
        lone_close();
    }
}

/* A message on a communicator that its sender is not in, for a receive from any source and for none. */
static void strange_messages(void)
{
    static const int members[] = {0, FAR};
    for (int posted = 0; posted < 2; posted++) {
        tutti_comm *comm;
        tutti_request *request = NULL;
        tutti_status status;
        lone_open();
        EXPECT(tti_comm_make(members, 2, 0, &comm) == 0);
        tti_comm_set_context(comm, tti_comm_new_context());
        if (posted) EXPECT(tutti_irecv(comm, buffer, 8, TUTTI_ANY_SOURCE, 0, &request) == 0);
        packet eager = {.head = tti_packet_head_for(TTI_PACKET_EAGER, FAR2,
                                                    tti_p2p_matching(comm->context, TTI_SPACE_USER), 0)};
        lone_receive(FAR2, &eager, sizeof eager.head + 8);
        expect_lost(FAR2, true, "a message of no member");
        EXPECT(tti_p2p_engine.match.messages_waiting == 0);
        eager.head.source = FAR;
        lone_receive(FAR, &eager, sizeof eager.head + 8);
        if (!posted) EXPECT(tutti_irecv(comm, buffer, 8, TUTTI_ANY_SOURCE, 0, &request) == 0);
        EXPECT(tutti_wait(&request, &status) == 0 && status.source == 1 && status.bytes == 8);
        tti_comm_release(comm);
        lone_close();
    }
}

typedef struct {
    tti_packet_head head;
    tti_rma_request_head rma;
    char operand[64];
} request_packet;

static int32_t ask(const request_packet *request, size_t payload)
{
    const int before = lone.sent[FAR];
    lone_receive(FAR, request, offsetof(request_packet, operand) + payload);
    expect_lost(FAR, false, "an RMA request");
    EXPECT(lone.sent[FAR] == before + 1);
    tti_rma_reply_head reply;
    memcpy(&reply, lone.last[FAR].at + sizeof(tti_packet_head), sizeof reply);
    EXPECT(lone.last[FAR].bytes == sizeof(tti_packet_head) + sizeof reply + reply.bytes);
    return reply.error;
}

#define OP(op) ((uint64_t)(uintptr_t)(op))
#define REFUSED(payload, change)                                                                             \
    do {                                                                                                     \
        request_packet r = good;                                                                             \
        change;                                                                                              \
        EXPECT(ask(&r, payload) < 0);                                                                        \
        EXPECT(memcmp(lone.memory, untouched, sizeof untouched) == 0);                                       \
    } while (0)

/* Requests that the window refuses: answered with an error, and its memory is as it was. */
static void rma_requests(void)
{
    static const char untouched[LONE_WINDOW];
    lone_open();
    const request_packet good = {
        tti_packet_head_for(TTI_PACKET_AM, FAR, 0, TTI_AM_RMA_REQUEST),
        {lone.window->number, TTI_RMA_FETCH, LONE_WINDOW - 8, 8, TUTTI_INT64, OP(TUTTI_SUM), 0, 0},
        {1}};
    REFUSED(8, r.rma.window++);
    REFUSED(8, r.rma.what = TTI_RMA_SIGNAL + 1);
    REFUSED(8, r.rma.what = UINT32_MAX);
    REFUSED(8, r.rma.offset++);
    REFUSED(8, r.rma.offset = UINT64_MAX - 7);
    REFUSED(8, r.rma.offset -= 4); /* not aligned to its type */
    REFUSED(8, r.rma.bytes = 4);
    REFUSED(8, r.rma.bytes = UINT64_MAX);
    REFUSED(7, (void)r);
    REFUSED(9, (void)r);
    REFUSED(0, (void)r);
    REFUSED(8, r.rma.type = 0);
    REFUSED(8, r.rma.type = TUTTI_INT64_INT + 1);
    REFUSED(8, r.rma.type = UINT64_C(1) << 40);
    REFUSED(8, r.rma.type = tutti_type_bytes(8)); /* which have no sum */
    REFUSED(8, r.rma.op = 0);
    REFUSED(8, r.rma.op = OP(TUTTI_NO_OP)); /* which has no operand */
    REFUSED(8, r.rma.op = OP(TUTTI_NO_OP) + 1);
    REFUSED(8, r.rma.op = 0xdeadbeefcafe);
    REFUSED(8, r.rma.op = OP(TUTTI_MAXLOC));
    REFUSED(8, (r.rma.what = TTI_RMA_COMBINE, r.rma.op = 0xdeadbeefcafe));
    REFUSED(8, (r.rma.what = TTI_RMA_COMBINE, r.rma.type = 0));
    REFUSED(12, (r.rma.what = TTI_RMA_COMBINE, r.rma.offset = 0, r.rma.bytes = 12));
    REFUSED(8, r.rma.what = TTI_RMA_SWAP);
    REFUSED(16, (r.rma.what = TTI_RMA_SWAP, r.rma.type = TUTTI_DOUBLE));
    REFUSED(0, (r.rma.what = TTI_RMA_SWAP, r.rma.bytes = 0));
    REFUSED(6, (r.rma.what = TTI_RMA_SWAP, r.rma.type = TUTTI_INT32, r.rma.bytes = 3));
    REFUSED(7, r.rma.what = TTI_RMA_PUT);
    REFUSED(8, (r.rma.what = TTI_RMA_PUT, r.rma.offset++));
    REFUSED(8, r.rma.what = TTI_RMA_GET);
    REFUSED(8, (r.rma.what = TTI_RMA_SIGNAL, r.rma.signal_offset = LONE_WINDOW));
    REFUSED(8, (r.rma.what = TTI_RMA_SIGNAL, r.rma.signal_offset = UINT64_MAX - 7));
    REFUSED(8, (r.rma.what = TTI_RMA_SIGNAL, r.rma.signal_offset = 4));
    EXPECT(ask(&good, 8) == 0 && lone.memory[LONE_WINDOW - 8] == 1);
    lone_close();
}

/* A rank that is not in the window's communicator. */
static void rma_of_no_member(void)
{
    static const int members[] = {0, FAR2};
    lone_open();
    tutti_comm *comm, *whole = lone.window->comm;
    EXPECT(tti_comm_make(members, 2, 0, &comm) == 0);
    const request_packet put = {tti_packet_head_for(TTI_PACKET_AM, FAR, 0, TTI_AM_RMA_REQUEST),
                                {lone.window->number, TTI_RMA_PUT, 0, 8, 0, 0, 0, 0},
                                {1}};
    lone.window->comm = comm;
    EXPECT(ask(&put, 8) < 0 && lone.memory[0] == 0);
    lone.window->comm = whole;
    EXPECT(ask(&put, 8) == 0 && lone.memory[0] == 1);
    tti_comm_release(comm);
    lone_close();
}

typedef struct {
    tti_packet_head head;
    tti_rma_reply_head rma;
    char result[64];
} reply_packet;

/* The answer to a get of 8 bytes, or to nothing. */
static void answer(const char *what, bool asked, tti_rma_reply_head head, size_t payload, bool sound)
{
    static char in[16];
    tutti_request *request = NULL;
    lone_open();
    memset(in, 0, sizeof in);
    if (asked) EXPECT(tutti_get(lone.window, in, 8, FAR, 0, &request) == 0);
    reply_packet reply = {tti_packet_head_for(TTI_PACKET_AM, FAR, 0, TTI_AM_RMA_REPLY), head, {0}};
    memset(reply.result, 7, sizeof reply.result);
    lone_receive(FAR, &reply, offsetof(reply_packet, result) + payload);
    expect_lost(FAR, !sound, what);
    if (asked) {
        const int expected = !sound ? TUTTI_ERR_PEER_FAILED : head.error;
        EXPECT(tutti_wait(&request, NULL) == expected && in[8] == 0);
        EXPECT(in[7] == (expected == 0 ? 7 : 0));
    }
    lone_close();
}

static void rma_replies(void)
{
    answer("right", true, (tti_rma_reply_head){0, 8}, 8, true);
    answer("an error", true, (tti_rma_reply_head){TUTTI_ERR_ARG, 0}, 0, true);
    answer("not asked for", false, (tti_rma_reply_head){0, 0}, 0, false);
    answer("too short", true, (tti_rma_reply_head){0, 8}, 7, false);
    answer("too long", true, (tti_rma_reply_head){0, 8}, 9, false);
    answer("more than asked for", true, (tti_rma_reply_head){0, 9}, 9, false);
    answer("nothing", true, (tti_rma_reply_head){0, 0}, 0, false);
    answer("no error code", true, (tti_rma_reply_head){-10000, 0}, 0, false);
    answer("a good code", true, (tti_rma_reply_head){1, 8}, 8, false);
    answer("error and result", true, (tti_rma_reply_head){TUTTI_ERR_ARG, 8}, 8, false);
}

/* An active message of numbers of four bytes. */
static void tell(const char *what, int kind, int count, const uint32_t numbers[4], bool sound)
{
    packet am = make(FAR, TTI_PACKET_AM);
    am.head.tag = kind;
    tti_wire_out out = {am.bytes + sizeof am.head, am.bytes + sizeof am, false};
    for (int i = 0; i < count; i++)
        tti_wire_put_uint(&out, numbers[i], 4);
    lone_open();
    lone_receive(FAR, &am, sizeof am.head + 4 * (size_t)count);
    EXPECT(!tti_peers.failed[0]);
    if (tti_lost_is_dead(FAR) == sound) fprintf(stderr, "%s\n", what);
    EXPECT(tti_lost_is_dead(FAR) != sound);
    lone_close();
}

static void active_messages(void)
{
    const int death = TTI_AM_FAILURE, drop_out = TTI_AM_DROP_OUT;
    tell("no such kind", TTI_AM_KINDS, 0, NULL, false);
    tell("a kind that nobody handles", 5, 0, NULL, false);
    tell("short request", TTI_AM_RMA_REQUEST, 2, (const uint32_t[4]){0, 0}, false);
    tell("short reply", TTI_AM_RMA_REPLY, 1, (const uint32_t[4]){0}, false);
    tell("a death", death, 1, (const uint32_t[4]){FAR2}, true);
    tell("the death of this rank", death, 1, (const uint32_t[4]){0}, false);
    tell("the death of no rank", death, 1, (const uint32_t[4]){LONE_RANKS}, false);
    tell("the death of rank -1", death, 1, (const uint32_t[4]){UINT32_MAX}, false);
    tell("news of a death", TTI_AM_DEATH, 1, (const uint32_t[4]){FAR2}, true);
    tell("news of the death of this rank", TTI_AM_DEATH, 1, (const uint32_t[4]){0}, false);
    tell("news of the death of no rank", TTI_AM_DEATH, 1, (const uint32_t[4]){LONE_RANKS}, false);
    tell("half of such news", TTI_AM_DEATH, 0, NULL, false);
    tell("half a death", death, 0, NULL, false);
    tell("two deaths", death, 2, (const uint32_t[4]){FAR2, FAR2}, false);
    tell("a drop-out", drop_out, 4, (const uint32_t[4]){0, 0, FAR, 11}, true);
    tell("another rank's", drop_out, 4, (const uint32_t[4]){0, 0, FAR2, 11}, true);
    tell("this rank's own", drop_out, 4, (const uint32_t[4]){0, 0, 0, 11}, false);
    tell("of no rank", drop_out, 4, (const uint32_t[4]){0, 0, 1000, 11}, false);
    tell("one without a reason", drop_out, 4, (const uint32_t[4]){0, 0, FAR, 0}, false);
    tell("one for a strange reason", drop_out, 4, (const uint32_t[4]){0, 0, FAR, 10000}, false);
    tell("one for the strangest", drop_out, 4, (const uint32_t[4]){0, 0, FAR, UINT32_C(1) << 31}, false);
    tell("a short one", drop_out, 3, (const uint32_t[4]){0, 0, FAR}, false);
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    heads();
    lengths();
    fields();
    ways();
    more_than_there_is();
    more_than_was_asked();
    strange_messages();
    rma_requests();
    rma_of_no_member();
    rma_replies();
    active_messages();
    return 0;
}

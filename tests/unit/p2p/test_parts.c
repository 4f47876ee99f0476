/* SPDX-License-Identifier: BSD-3-Clause */
/* Long messages over the fabric that come in parts: as the receiver asks for them, and the first unasked. */
#include <string.h>

#include "runtime/base/options.h"
#include "tests/unit/expect.h"
#include "tests/unit/p2p/lone_rank.h"

#define FAR 2 /* a rank over the fabric */
#define LONG 100000

static char buffer[LONG];

/* FAR wants so much of the message that this rank has announced last. */
static void ask_for(uint64_t from, uint64_t bytes, uint64_t posted)
{
    const tti_packet_head head = tti_packet_head_for(TTI_PACKET_CTS, FAR, 0, 0);
    const tti_packet_cts cts = {head, lone_announced(FAR), 5, from, bytes, posted};
    lone_receive(FAR, &cts, sizeof cts);
}

/* FAR offers a message, of which so much comes unasked. */
static void offer(uint32_t first)
{
    const tti_packet_rts rts = {tti_packet_head_for(TTI_PACKET_RTS, FAR, 0, 3), 7, first, LONG, 0};
    lone_receive(FAR, &rts, sizeof rts);
}

/* Bulk data in parts, of which the second is asked for before this rank knows that the first has gone, or
 * after. One that is longer than what is left of the message is not sent longer. */
static void parts_asked_for(void)
{
    for (int early = 0; early < 2; early++) {
        tutti_request *request;
        int sent = 0;
        lone_open();
        EXPECT(tutti_isend(lone.world, buffer, LONG, FAR, 3, &request) == 0);
        ask_for(0, LONG, LONG - 100);
        if (!early) lone_finish_bulk();
        EXPECT(tutti_test(&request, &sent, NULL) == 0 && !sent);
        if (early)
            ask_for(0, LONG, LONG);
        else
            ask_for(LONG - 100, 100, 100);
        if (early) lone_finish_bulk();
        EXPECT(lone.bulk_bytes == 100 && tutti_test(&request, &sent, NULL) == 0 && !sent);
        lone_finish_bulk();
        EXPECT(tutti_wait(&request, NULL) == 0 && !tti_lost_is_dead(FAR));
        lone_close();
    }
}

/* The longest message of a peer is shorter than this rank's: what comes is a part, and the rest is asked for.
 */
static void parts_received(void)
{
    tutti_request *request;
    tutti_status status;
    lone_open();
    EXPECT(tutti_irecv(lone.world, buffer, LONG, FAR, 3, &request) == 0);
    offer(0);
    const tti_packet_cts *cts = (const void *)lone.last[FAR].at;
    EXPECT(cts->bytes == LONG && cts->posted == LONG);
    lone_shorten_bulk(LONG - 100);
    lone_finish_bulk();
    EXPECT(lone.last[FAR].bytes == sizeof *cts && cts->bytes == 100 && cts->posted == 100);
    lone_finish_bulk();
    EXPECT(tutti_wait(&request, &status) == 0 && status.bytes == LONG);
    lone_close();
}

#define FIRST 5000 /* bytes of a message that come unasked */

static void receive_first(const char *data, size_t bytes)
{
    static union {
        tti_packet_sync sync;
        char bytes[sizeof(tti_packet_sync) + FIRST + 1];
    } first;
    first.sync = (tti_packet_sync){tti_packet_head_for(TTI_PACKET_FIRST, FAR, 0, 3), 7, 0};
    memcpy(first.bytes + sizeof first.sync, data, bytes);
    lone_receive(FAR, &first, sizeof first.sync + bytes);
}

/* The first part of a message comes unasked: behind the data asked for or before it, or before there is a
 * receive, or the receive is there between announcement and part. What is there, or awaited, is not asked for
 * again. */
static void first_part(void)
{
    enum { BEFORE_REST, BEHIND_REST, BEFORE_RECEIVE, BEHIND_RECEIVE, CASES };
    static char data[FIRST];
    memset(data, 9, sizeof data);
    for (int when = 0; when < CASES; when++) {
        const bool posted = when == BEFORE_REST || when == BEHIND_REST;
        const size_t from = when == BEHIND_RECEIVE ? 0 : FIRST;
        tutti_request *request;
        int come = 0;
        lone_open();
        memset(buffer, 0, sizeof buffer);
        if (posted) EXPECT(tutti_irecv(lone.world, buffer, LONG, FAR, 3, &request) == 0);
        offer(FIRST);
        if (when == BEFORE_REST || when == BEFORE_RECEIVE) receive_first(data, FIRST);
        if (!posted) EXPECT(tutti_irecv(lone.world, buffer, LONG, FAR, 3, &request) == 0);
        const tti_packet_cts *cts = (const void *)lone.last[FAR].at;
        EXPECT(cts->from == from && cts->bytes == LONG - from && lone.bulk_bytes == LONG - from);
        lone_finish_bulk();
        EXPECT(tutti_test(&request, &come, NULL) == 0 && come == (when != BEHIND_REST));
        if (when == BEHIND_REST || when == BEHIND_RECEIVE) receive_first(data, FIRST);
        EXPECT(come || tutti_wait(&request, NULL) == 0);
        EXPECT(buffer[FIRST - 1] == (when == BEHIND_RECEIVE ? 2 : 9) && buffer[FIRST] == 2);
        lone_close();
    }
}

/* What is promised and does not come in that form, or before it can be meant: each ends the receive, and all
 * with that peer. */
static void out_of_step(void)
{
    enum { SHORT, LONGER, BEFORE_REQUEST, CASES };
    static char data[FIRST + 1];
    for (int how = 0; how < CASES; how++) {
        tutti_request *request;
        lone_open();
        EXPECT(tutti_irecv(lone.world, buffer, LONG, FAR, 3, &request) == 0);
        lone.full = how == BEFORE_REQUEST;
        offer(FIRST);
        if (how == BEFORE_REQUEST)
            lone_finish_bulk();
        else
            receive_first(data, how == SHORT ? FIRST - 1 : FIRST + 1);
        EXPECT(tutti_wait(&request, NULL) == TUTTI_ERR_PEER_FAILED && tti_lost_is_dead(FAR));
        lone_close();
    }
}

/* The peer dies when the rest of a message has come, or a part of one has gone, and this rank has yet to hear
 * of that: what is to follow never will. */
static void dead_between_parts(void)
{
    for (int sends = 0; sends < 2; sends++) {
        tutti_request *request;
        lone_open();
        if (sends) {
            EXPECT(tutti_isend(lone.world, buffer, LONG, FAR, 3, &request) == 0);
            ask_for(0, LONG, LONG - 100);
        } else {
            EXPECT(tutti_irecv(lone.world, buffer, LONG, FAR, 3, &request) == 0);
            offer(FIRST);
        }
        lone_complete_bulk();
        tti_lost_peer_died(FAR, NULL);
        tti_failure_find();
        tti_failure_sweep();
        EXPECT(tutti_wait(&request, NULL) == TUTTI_ERR_PEER_FAILED);
        lone_close();
    }
}

/* By the node nothing comes unasked, whatever the announcement says: all of it is asked for. */
static void first_part_on_node(void)
{
    tutti_request *request;
    const tti_packet_rts rts = {tti_packet_head_for(TTI_PACKET_RTS, LONE_NEIGHBOUR, 0, 3), 7, FIRST, LONG, 0};
    lone_open();
    EXPECT(tutti_irecv(lone.world, buffer, LONG, LONE_NEIGHBOUR, 3, &request) == 0);
    lone_receive(LONE_NEIGHBOUR, &rts, sizeof rts);
    const tti_packet_cts *cts = (const void *)lone.last[LONE_NEIGHBOUR].at;
    EXPECT(cts->head.kind == TTI_PACKET_CTS && cts->from == 0 && cts->bytes == LONG);
    lone_end_all();
    EXPECT(tutti_wait(&request, NULL) == TUTTI_ERR_PEER_FAILED);
    lone_close();
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    out_of_step();
    dead_between_parts();
    first_part_on_node();
    parts_asked_for();
    parts_received();
    first_part();
    return 0;
}

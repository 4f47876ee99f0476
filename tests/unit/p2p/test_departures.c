/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives from any source where members of their communicator leave for the death of a rank that is none;
 * what a rank that leaves has not been able to send; and what is told of ranks that are lost or have left. */
#include <string.h>

#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/progress/progress.h"
#include "tests/unit/expect.h"
#include "tests/unit/p2p/lone_rank.h"

static const int members[] = {0, 2, 3};
static tutti_comm *comm;
static tutti_request *request;
static char buffer[8];

static void begin(void)
{
    lone_open();
    EXPECT(tti_comm_make(members, 3, 0, &comm) == 0);
    tti_comm_set_context(comm, tti_comm_new_context());
    EXPECT(tutti_irecv(comm, buffer, sizeof buffer, TUTTI_ANY_SOURCE, 0, &request) == 0);
}

static void end(void)
{
    tti_comm_release(comm);
    lone_close();
}

static void leave(int rank)
{
    const tti_packet_head left = tti_packet_head_for(TTI_PACKET_LEFT, rank, 0, 0);
    lone_receive(rank, &left, sizeof left);
    tti_progress_all();
}

static void expect_waiting(void)
{
    int over = 1;
    EXPECT(tutti_test(&request, &over, NULL) == 0 && !over);
}

static void the_other_may_still_send(void)
{
    begin();
    leave(2);
    expect_waiting();
    const tti_packet_head eager =
        tti_packet_head_for(TTI_PACKET_EAGER, 3, tti_p2p_matching(comm->context, TTI_SPACE_USER), 0);
    lone_receive(3, &eager, sizeof eager);
    EXPECT(tutti_wait(&request, NULL) == 0);
    end();
}

static void none_may_send_any_more(void)
{
    begin();
    leave(3);
    expect_waiting();
    leave(2);
    int over = 0; /* and no wait: it would be one for ever */
    EXPECT(tutti_test(&request, &over, NULL) == TUTTI_ERR_PEER_FAILED);
    end();
}

/* Leak checkers see whether anybody frees it. */
static void what_found_no_room_goes_with_the_rank(void)
{
    lone_open();
    lone.full = true;
    EXPECT(tti_am_send(2, TTI_AM_DEATH, buffer, sizeof buffer, NULL, 0) == 0);
    EXPECT(tti_am_send(2, TTI_AM_DEATH, buffer, sizeof buffer, NULL, 0) == 0);
    tti_progress_all();
    EXPECT(lone.sent[2] == 0);
    lone_leave();
}

/* A message that lies in the mailbox when its sender's death is noted is the next receive's, and not that of
 * one after it. */
static void what_came_before_a_death_is_received(void)
{
    struct {
        tti_packet_head head;
        char data[8];
    } eager = {tti_packet_head_for(TTI_PACKET_EAGER, LONE_NEIGHBOUR, 0, 3), "before"};
    lone_open();
    tti_lost_peer_died(LONE_NEIGHBOUR, NULL);
    lone_receive_later(&eager, sizeof eager);
    EXPECT(tutti_irecv(lone.world, buffer, sizeof buffer, LONE_NEIGHBOUR, TUTTI_ANY_TAG, &request) == 0);
    EXPECT(tutti_wait(&request, NULL) == 0 && strcmp(buffer, "before") == 0);
    EXPECT(tutti_recv(lone.world, buffer, sizeof buffer, LONE_NEIGHBOUR, TUTTI_ANY_TAG, NULL) ==
           TUTTI_ERR_PEER_FAILED);
    lone_close();
}

static void expect_cause(int code)
{
    EXPECT(code == TUTTI_ERR_PEER_FAILED && strstr(tutti_error_detail(), "the cable is out") != NULL);
    tti_fail(TUTTI_ERR_ARG, "another failure");
}

/* By whatever the operations with it end, and whatever failed since then. */
static void why_a_rank_is_lost_is_told(void)
{
    tutti_request *sent, *any;
    lone_open();
    EXPECT(tutti_irecv(lone.world, buffer, sizeof buffer, 2, 0, &request) == 0);
    EXPECT(tutti_irecv(lone.world, buffer, sizeof buffer, TUTTI_ANY_SOURCE, 1, &any) == 0);
    EXPECT(tutti_issend(lone.world, buffer, sizeof buffer, 2, 0, &sent) == 0);
    tti_peer_part(2, tti_fail(TUTTI_ERR_PEER_FAILED, "the cable is out"));
    tti_fail(TUTTI_ERR_ARG, "another failure");
    tti_progress_all();
    expect_cause(tutti_wait(&request, NULL));
    expect_cause(tutti_wait(&any, NULL));
    expect_cause(tutti_wait(&sent, NULL));
    expect_cause(tutti_recv(lone.world, buffer, sizeof buffer, 2, 0, NULL));
    expect_cause(tutti_send(lone.world, buffer, sizeof buffer, 2, 0));
    lone_close();
}

static void refuse(int rank)
{
    const tti_packet_sync *sent = (const void *)lone.last[rank].at;
    const tti_packet_fin fin = {tti_packet_head_for(TTI_PACKET_FIN, rank, 0, 0), sent->send_id,
                                TUTTI_ERR_STATE};
    lone_receive(rank, &fin, sizeof fin);
}

/* Each request's own, whichever is waited for first, or never. */
static void each_request_tells_its_own_failure(void)
{
    tutti_request *first, *second, *freed;
    lone_open();
    EXPECT(tutti_issend(lone.world, buffer, sizeof buffer, 3, 33, &freed) == 0);
    refuse(3);
    EXPECT(tutti_issend(lone.world, buffer, sizeof buffer, 2, 11, &first) == 0);
    EXPECT(tutti_issend(lone.world, buffer, sizeof buffer, 3, 22, &second) == 0);
    refuse(2);
    refuse(3);
    EXPECT(tutti_wait(&first, NULL) == TUTTI_ERR_STATE && strstr(tutti_error_detail(), "tag 11") != NULL);
    EXPECT(tutti_wait(&second, NULL) == TUTTI_ERR_STATE && strstr(tutti_error_detail(), "tag 22") != NULL);
    EXPECT(tutti_request_free(&freed) == 0);
    lone_close();
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    the_other_may_still_send();
    none_may_send_any_more();
    what_found_no_room_goes_with_the_rank();
    what_came_before_a_death_is_received();
    why_a_rank_is_lost_is_told();
    each_request_tells_its_own_failure();
    return 0;
}

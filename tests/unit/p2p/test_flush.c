/* SPDX-License-Identifier: BSD-3-Clause */
/* A flush ends with the operations that have begun before it, though others begin while it waits, as other
 * threads begin them. So does a rank that leaves with what it has sent, though others ask on. */
#include "runtime/base/options.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/rma_messages.h"
#include "runtime/rma/window_state.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"
#include "tests/unit/p2p/lone_rank.h"

#define FAR 2 /* ranks over the fabric */
#define LAST 3
#define ROUNDS 100 /* by which a flush that can end has ended */

static char byte;
static int rounds;
static tutti_request *later[LONE_RANKS]; /* begun while the flush waits */

/* The oldest put to that rank is there. */
static void answer(int rank)
{
    const struct {
        tti_packet_head head;
        tti_rma_reply_head rma;
    } reply = {tti_packet_head_for(TTI_PACKET_AM, rank, 0, TTI_AM_RMA_REPLY), {0, 0}};
    lone_receive(rank, &reply, sizeof reply);
}

/* What comes in a round: the awaited answers, one after the other, and before each of them another put. */
static int come(void)
{
    EXPECT(rounds < ROUNDS);
    const int rank = ++rounds == 1 ? FAR : LAST;
    if (rounds > 2) return 0;
    EXPECT(tutti_put(lone.window, &byte, 1, rank, 0, &later[rank]) == 0 && later[rank] != NULL);
    answer(rank);
    return 1;
}

static void flush_among_others(int target)
{
    int over;
    lone_open();
    for (int rank = FAR; rank <= LAST; rank++)
        EXPECT(tutti_put(lone.window, &byte, 1, rank, 0, NULL) == 0);
    rounds = 0;
    tti_progress_look(TTI_LOOK_RUNS, come);
    EXPECT(tutti_flush(lone.window, target) == 0);
    EXPECT(rounds == (target == FAR ? 1 : 2));
    tti_progress_look(TTI_LOOK_RUNS, NULL);
    for (int rank = FAR; rank <= FAR + (target != FAR); rank++) {
        EXPECT(tutti_test(&later[rank], &over, NULL) == 0 && !over);
        answer(rank);
        EXPECT(tutti_wait(&later[rank], NULL) == 0);
    }
    lone_close();
}

/* What others ask for in a round: the answer to the last one has left, to this one not yet. */
static int ask_on(void)
{
    EXPECT(++rounds < ROUNDS);
    const int rank = lone.slow ? FAR : LONE_NEIGHBOUR;
    const struct {
        tti_packet_head head;
        tti_rma_request_head rma;
        char data[8];
    } put = {tti_packet_head_for(TTI_PACKET_AM, rank, 0, TTI_AM_RMA_REQUEST),
             {lone.window->number, TTI_RMA_PUT, 0, 8, 0, 0, 0, 0},
             {1}};
    lone.full = false;
    tti_peers_flush();
    lone.full = !lone.slow;
    lone_receive(rank, &put, offsetof(__typeof__(put), data) + sizeof put.data);
    return 1;
}

/* Over the fabric, or over the node, whose mailbox is full. */
static void drain_among_others(bool fabric)
{
    lone_open();
    lone.slow = fabric;
    lone.full = !fabric;
    rounds = 0;
    EXPECT(tti_am_send(fabric ? LAST : LONE_NEIGHBOUR, TTI_AM_DEATH, &byte, 1, NULL, 0) == 0);
    tti_progress_look(TTI_LOOK_RUNS, ask_on);
    EXPECT(tti_p2p_drain(PATIENCE_NS, false) == 0);
    EXPECT(rounds > 0 && lone.sent[fabric ? LAST : LONE_NEIGHBOUR] > 0);
    tti_progress_look(TTI_LOOK_RUNS, NULL);
    lone_close();
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    flush_among_others(FAR);
    flush_among_others(TUTTI_ALL);
    drain_among_others(true);
    drain_among_others(false);
    return 0;
}

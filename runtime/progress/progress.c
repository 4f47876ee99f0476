/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/progress/progress.h"

#include "runtime/base/hot.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/view.h"
#include "runtime/peers/peer_failure.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/wake.h"

/* Packets taken from the node in one round. */
#define NODE_ROUND 64
/* Where there is a node too, the fabric, which is slower to ask, is asked once in so many rounds. */
#define FABRIC_EVERY 4
/* Rounds that look for what a rank sent before it was gone: it sends no more, but others do. */
#define LAST_ROUNDS 1000

static tti_protocols protocols;
tti_due tti_progress_due;
static uint32_t departed; /* ranks that have left the node, as of the last look */
static struct {
    int rare; /* how many are set, but for that of runs: a round asks this once, and them one by one */
    tti_look_fn *of[TTI_LOOKS];
} looks;

void tti_progress_open(const tti_protocols *of)
{
    protocols = *of;
    tti_progress_due.withdrawals = 0;
    tti_list_init(&tti_progress_due.finished);
    departed = 0;
}

TTI_HOT static int poll_node(void)
{
    return tti_node_poll(tti_peers.node, NODE_ROUND, protocols.packet, NULL);
}

/* Takes in what ranks that have died or left have sent before. */
static void empty_node(void)
{
    for (int i = 0; tti_peers.node != NULL && i < LAST_ROUNDS && poll_node() > 0; i++)
        continue;
}

/* Of a rank that is lost meanwhile there may be more: it is for the next time. */
static int sweep(void)
{
    tti_failure_find();
    empty_node();
    protocols.sweep();
    return 1;
}

static int look_after_withdrawals(void)
{
    if (!protocols.mark_withdrawn()) return 0;
    empty_node();
    return protocols.end_withdrawn();
}

/* A rank that has left answers nothing any more, and no launcher tells of it. What was taken back ends so. */
static int look_who_left(uint32_t departures)
{
    tti_departures_note();
    empty_node();
    look_after_withdrawals();
    departed = departures;
    protocols.departed();
    return 1;
}

TTI_HOT static int round_of_node(void)
{
    const uint32_t departures = tti_node_departures(tti_peers.node);
    const int events = poll_node();
    return departures == departed ? events : events + look_who_left(departures);
}

TTI_HOT void tti_progress_look(enum tti_look which, tti_look_fn *look)
{
    if (which != TTI_LOOK_RUNS) looks.rare += (look != NULL) - (looks.of[which] != NULL);
    looks.of[which] = look;
}

static int look_rarely(void)
{
    int events = 0;
    for (int which = TTI_LOOK_RUNS + 1; which < TTI_LOOKS; which++)
        if (looks.of[which] != NULL) events += looks.of[which]();
    return events;
}

/* The fabric is slower to ask than a waiter that has just got what it waits for should be kept: it waits
 * where there is something already, though not for ever. */
TTI_HOT static bool is_worth_asking(int events)
{
    static unsigned passed_over;
    passed_over = events == 0 ? 0 : passed_over + 1;
    return passed_over % FABRIC_EVERY == 0;
}

TTI_HOT static int round_of(bool ask_fabric)
{
    int events = 0;
    if (tti_peers.node != NULL) events += round_of_node();
    if (looks.of[TTI_LOOK_RUNS] != NULL) events += looks.of[TTI_LOOK_RUNS]();
    if (__builtin_expect(looks.rare > 0, 0)) events += look_rarely();
    if (ask_fabric && is_worth_asking(events)) events += tti_fabric_poll(tti_peers.fabric);
    if (!tti_list_empty(&tti_peers.blocked)) events += protocols.flush();
    if (atomic_load_explicit(&tti_peers.failures, memory_order_relaxed) != tti_peers.failures_swept)
        events += sweep();
    if (atomic_load_explicit(&tti_peers.news, memory_order_relaxed) != 0) tti_death_news_pass_on();
    if (tti_progress_due.withdrawals > 0) events += look_after_withdrawals();
    if (!tti_list_empty(&tti_progress_due.finished)) events += protocols.finish();
    if (events > 0) tti_sleep_notify();
    return events;
}

TTI_HOT int tti_progress(void)
{
    static unsigned rounds;
    return round_of(tti_peers.fabric != NULL && (tti_peers.node == NULL || rounds++ % FABRIC_EVERY == 0));
}

TTI_HOT int tti_progress_all(void)
{
    return round_of(tti_peers.fabric != NULL);
}

TTI_HOT bool tti_progress_sometimes(unsigned every)
{
    static unsigned due;
    due += TTI_SOMETIMES_BY_TESTS / every;
    if (__builtin_expect(due < TTI_SOMETIMES_BY_TESTS, 1)) return false;
    due = 0;
    tti_progress();
    return true;
}

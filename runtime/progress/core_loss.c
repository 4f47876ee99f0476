/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/progress/core_loss.h"

#include "runtime/base/hot.h"
#include "runtime/node/places.h"
#include "runtime/node/processors.h"

/* A yield gave the core to a stranger for a time slice if for so long, in rough ns, no rank had it, and for
 * most of the time. Where that is not known (turns.h) it is what the last turns of the node's other ranks do
 * not explain: of many ranks' turns not all are known, as only the last one of each is, and switching between
 * them is none. Of a turn so much counts: who has the core for longer computes. */
#define LOST_NS 2500000
#define TURN_MOST_NS 2000000
/* After a second loss with fewer than so many other yields in between, sleep at once in the next waits; first
 * in few, as a rank that fills its memory is soon done, and in twice as many each time that the core is lost
 * so again, up to the most. But only where the stranger has one part in so many of the time at least: the
 * kernel's own threads take a slice now and then, and ranks that many share a core yield seldom enough to
 * find each of these fresh in mind. */
#define YIELDS_SUSPICIOUS 64
#define STRANGERS_PART 8
#define SLEEPS_LEAST 32
#define SLEEPS_MOST 512

TTI_HOT void tti_core_loss_turn_ends(tti_core_loss *loss, const tti_node *node, int64_t now)
{
    if (node != NULL) tti_node_note_turn(node, now, now - loss->begun);
    tti_turns_end(&loss->turns, now);
}

TTI_HOT void tti_core_loss_turn_begins(tti_core_loss *loss, int64_t now)
{
    loss->begun = now;
    tti_turns_begin(&loss->turns, now);
}

/* What others than ranks had of it. */
static int64_t of_stranger(const tti_core_loss *loss, const tti_node *node, int64_t yielded, int64_t took)
{
    const int64_t missed = tti_turns_missed(&loss->turns);
    if (missed >= 0) return missed;
    return node != NULL ? took - tti_node_turns(node, yielded, TURN_MOST_NS) : took;
}

/* The same if the yield gave the core away, else 0. */
static int64_t lost(const tti_core_loss *loss, const tti_node *node, int64_t yielded, int64_t back)
{
    const int64_t took = back - yielded;
    if (took <= LOST_NS) return 0;
    const int64_t stranger = of_stranger(loss, node, yielded, took);
    return stranger > LOST_NS && stranger > took / 2 ? stranger : 0;
}

/* This time, and the next ones if it goes on. */
static void sleep_at_once(tti_core_loss *loss)
{
    if (loss->sleeps_next == 0) loss->sleeps_next = SLEEPS_LEAST;
    loss->sleeps_at_once = loss->sleeps_next;
    if (loss->sleeps_next < SLEEPS_MOST) loss->sleeps_next *= 2;
}

/* One loss alone is believed only while others are fresh in mind: a rank may have computed for once, and a
 * virtual machine is halted now and then. */
TTI_HOT void tti_core_loss_learn(tti_core_loss *loss, const tti_node *node, int64_t yielded, int64_t back)
{
    loss->awake += back - loss->begun;
    tti_core_loss_turn_begins(loss, back);
    const int64_t stranger = lost(loss, node, yielded, back);
    if (stranger == 0) {
        loss->suspicion -= loss->suspicion > 0;
        if (++loss->kept >= SLEEPS_MOST) loss->sleeps_next = 0;
        return;
    }
    tti_turns_open(&loss->turns);
    if (node != NULL) tti_node_note_loss(node, yielded, back);
    loss->kept = 0;
    if (stranger < loss->awake / STRANGERS_PART)
        loss->sleeps_next = 0;
    else if (loss->suspicion > 0)
        sleep_at_once(loss);
    loss->suspicion = YIELDS_SUSPICIOUS;
    loss->awake = 0;
}

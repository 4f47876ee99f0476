/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/core_loss.h"

#include "runtime/base/hot.h"

/* A yield that takes so much longer, in rough ns, than the turns of the node's other ranks meanwhile gave the
 * core to a stranger for a time slice. Of a turn so much counts: who has the core for longer computes. */
#define LOST_NS 2500000
#define TURN_MOST_NS 2000000
/* After a second loss with fewer than so many other yields in between, sleep at once in the next waits; first
 * in few, as a rank that fills its memory is soon done, and in twice as many each time that the core is lost
 * so again, up to the most. */
#define YIELDS_SUSPICIOUS 64
#define SLEEPS_LEAST 32
#define SLEEPS_MOST 512

TTI_HOT void tti_core_loss_turn_ends(const tti_core_loss *loss, const tti_node *node, int64_t now)
{
    if (node != NULL) tti_node_note_turn(node, now, now - loss->begun);
}

static bool is_lost(const tti_node *node, int64_t yielded, int64_t back)
{
    const int64_t took = back - yielded;
    if (took <= LOST_NS || node == NULL) return took > LOST_NS;
    return took - tti_node_turns(node, yielded, TURN_MOST_NS) > LOST_NS;
}

/* One loss alone is believed only while others are fresh in mind: a rank may have computed for once, and a
 * virtual machine is halted now and then. */
TTI_HOT void tti_core_loss_learn(tti_core_loss *loss, const tti_node *node, int64_t yielded, int64_t back)
{
    loss->begun = back;
    if (!is_lost(node, yielded, back)) {
        loss->suspicion -= loss->suspicion > 0;
        if (++loss->kept >= SLEEPS_MOST) loss->sleeps_next = 0;
        return;
    }
    if (node != NULL) tti_node_note_loss(node, yielded, back);
    loss->kept = 0;
    if (loss->suspicion > 0) {
        if (loss->sleeps_next == 0) loss->sleeps_next = SLEEPS_LEAST;
        loss->sleeps_at_once = loss->sleeps_next;
        if (loss->sleeps_next < SLEEPS_MOST) loss->sleeps_next *= 2;
    }
    loss->suspicion = YIELDS_SUSPICIOUS;
}

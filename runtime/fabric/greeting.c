/* SPDX-License-Identifier: BSD-3-Clause */
/* The first packet to a peer says nothing and must be answered before anything else follows, over providers
 * that connect. Two ranks that connect to each other at the same time have two connections at first, and
 * libfabric's net ends one: by the process id of the peer, for which it may take that of a dead rank whose
 * connection had the same place in its tables, and so end the one that is in use. What the peer had sent on
 * it is lost, sometimes without an error. A greeting may get lost: it is sent again. Whoever reads one has
 * done with the connecting. */
#include "runtime/base/clock.h"
#include "runtime/fabric/fabric_state.h"

/* Until a greeting is repeated, at first and at most; a peer that computes leaves them unread. */
#define REPEAT_LEAST_NS (TTI_NS_PER_SECOND / 500)
#define REPEAT_MOST_NS TTI_NS_PER_SECOND
/* So many may fail, and not of how many were sent: a peer that does not look for a while has many unread when
 * libfabric ends the connection. Together they wait for about a second, and for longer where others were
 * sent before. */
#define BROKEN_MOST 10

static bool is_met(const tti_fabric *fabric, const tti_fabric_contact *contact)
{
    return contact->met || !tti_fabric_connects(fabric) || contact->rank == fabric->job->rank;
}

static int64_t patience(const tti_fabric_contact *contact)
{
    const int doublings = contact->greetings < BROKEN_MOST ? contact->greetings : BROKEN_MOST;
    const int64_t ns = (int64_t)REPEAT_LEAST_NS << doublings;
    return ns < REPEAT_MOST_NS ? ns : REPEAT_MOST_NS;
}

static int send_sign(tti_fabric *fabric, tti_fabric_contact *contact, enum tti_fabric_sign sign)
{
    const tti_fabric_outgoing packet = {.sign = sign};
    return tti_fabric_send_to(fabric, contact, &packet);
}

/* 0: something has come from the peer. 1: not yet, a greeting is sent; or an error. */
static int greet(tti_fabric *fabric, tti_fabric_contact *contact)
{
    if (__builtin_expect(is_met(fabric, contact), 1)) return 0;
    const int64_t now = tti_clock_ns();
    if (now < contact->greet_ns || contact->greeting) return 1;
    const int sent = send_sign(fabric, contact, TTI_SIGN_GREETING);
    if (sent < 0) return sent;
    contact->greeting = sent == 0;
    if (sent == 0) contact->greet_ns = now + patience(contact);
    if (sent == 0) contact->greetings++;
    return 1;
}

int tti_fabric_reach(tti_fabric *fabric, int rank, tti_fabric_contact **found)
{
    const int code = tti_fabric_locate(fabric, rank, found);
    return code != 0 ? code : greet(fabric, *found);
}

/* Whether it is still owed. One that cannot be sent, as the peer's card is of no use, never will be, and the
 * peer greets for ever: what this rank waits for from it ends. */
static bool answer(tti_fabric *fabric, tti_fabric_contact *contact)
{
    tti_fabric_contact *located;
    if (contact->dead) return false;
    int code = tti_fabric_locate(fabric, contact->rank, &located);
    if (code == 0) code = send_sign(fabric, contact, TTI_SIGN_ANSWER);
    if (code < 0) tti_fabric_lose_peer(fabric, contact, code);
    return code == 1;
}

/* What cannot be sent now, for want of the peer's card or of room, is tried again by tti_fabric_answer(). */
void tti_fabric_greeted(tti_fabric *fabric, tti_fabric_contact *contact, enum tti_fabric_sign sign)
{
    if (sign != TTI_SIGN_GREETING || contact->owes_answer) return;
    contact->owes_answer = answer(fabric, contact);
    if (contact->owes_answer) fabric->answers_owed++;
}

void tti_fabric_answer(tti_fabric *fabric)
{
    for (int i = 0; i < fabric->contact_count; i++) {
        tti_fabric_contact *contact = fabric->contacts[i];
        if (!contact->owes_answer || answer(fabric, contact)) continue;
        contact->owes_answer = false;
        fabric->answers_owed--;
    }
}

bool tti_fabric_forgives(const tti_fabric *fabric, int rank)
{
    tti_fabric_contact *contact = rank < 0 ? NULL : tti_fabric_find(fabric, rank);
    if (contact == NULL || !contact->greeting || contact->met) return false;
    return ++contact->greetings_lost < BROKEN_MOST;
}

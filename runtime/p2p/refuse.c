/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that nobody will receive, because their communicator was freed here or the program has finished: a
 * sender that waits hears it, and none of them turns up on a later communicator with the same context. */
#include "runtime/p2p/arrival.h"
#include "tutti/error.h"

static struct {
    bool expecting; /* a communicator is being made: its messages may come before it is there, and stay until
                       it is */
    bool early;     /* some have */
    bool finishing; /* the program receives nothing more */
} wants;

/* Collectives, and the exchanges of windows, go on until every rank is through. */
static bool is_of_user(uint32_t context)
{
    return context % 2 == TTI_SPACE_USER;
}

bool tti_p2p_expects(uint32_t context)
{
    return tti_comm_has_context(context) || (wants.expecting && context < TTI_COMM_CONTEXTS);
}

bool tti_arrival_is_wanted(uint32_t context)
{
    if (wants.finishing && is_of_user(context)) return false;
    if (tti_comm_has_context(context / 2)) return true;
    wants.early |= wants.expecting;
    return tti_p2p_expects(context / 2);
}

/* A program that has heard of a death may well have left early for it: to those who have not heard yet that
 * is the reason, not a mistake of the program. */
static int refusal(void)
{
    return tti_p2p_any_dead() ? TUTTI_ERR_PEER_FAILED : TUTTI_ERR_STATE;
}

void tti_message_refuse(const tti_incoming *message)
{
    if (message->kind == TTI_MESSAGE_OWN)
        tti_op_finish_later(message->sender, refusal());
    else if (message->send_id != 0 && message->kind != TTI_MESSAGE_WITHDRAWN)
        tti_sender_refuse(message->source, message->send_id, refusal());
}

void tti_arrivals_purge(uint32_t context)
{
    tti_match *match = &tti_p2p_engine.match;
    tti_arrival *arrival;
    while ((arrival = (tti_arrival *)tti_match_find(match, context, TTI_MATCH_ANY, TTI_MATCH_ANY)) != NULL) {
        tti_arrival_take(arrival);
        tti_message_refuse(&arrival->message);
        tti_arrival_free(arrival);
    }
}

static void purge_unwanted(void)
{
    for (uint32_t context = 0; context < 2 * TTI_COMM_CONTEXTS; context++)
        if (!tti_arrival_is_wanted(context)) tti_arrivals_purge(context);
}

void tti_p2p_expect_context(bool expect)
{
    wants.expecting = expect;
    if (expect || !wants.early) return;
    wants.early = false;
    purge_unwanted();
}

void tti_arrivals_refuse_all(void)
{
    wants.finishing = true;
    purge_unwanted();
}

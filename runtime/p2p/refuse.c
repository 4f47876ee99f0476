/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that nobody will receive, because their communicator was freed here or the program has finished: a
 * sender that waits hears it. */
#include "runtime/p2p/arrival.h"
#include "tutti/error.h"

static struct {
    int expecting;  /* communicators being made: their messages may come before they are there, and stay until
                       they are */
    bool early;     /* some have */
    bool finishing; /* the program receives nothing more */
} wants;

/* Collectives, and the exchanges of windows, go on until every rank is through. */
static bool is_of_user(uint64_t context)
{
    return context % TTI_COMM_SPACES == TTI_SPACE_USER;
}

bool tti_p2p_expects(uint64_t context)
{
    return tti_comm_find(context) != NULL || wants.expecting > 0;
}

bool tti_arrival_is_wanted(uint64_t context, int source)
{
    const tutti_comm *comm = tti_comm_find(context / TTI_COMM_SPACES);
    if (wants.finishing) tti_goodbye_answer(source);
    if (wants.finishing && is_of_user(context)) return false;
    if (comm != NULL) return !comm->revoked && tti_comm_rank_of(comm, source) >= 0;
    wants.early |= wants.expecting > 0;
    return wants.expecting > 0;
}

/* A program that has heard of a death may well have left early for it: to those who have not heard yet that
 * is the reason, not a mistake of the program. */
int tti_message_refusal(void)
{
    return tti_lost_any_dead() ? TUTTI_ERR_PEER_FAILED : TUTTI_ERR_STATE;
}

void tti_message_refuse(const tti_incoming *message)
{
    if (message->kind == TTI_MESSAGE_OWN)
        tti_op_finish_later(message->sender, tti_message_refusal());
    else if (message->send_id != 0 && message->kind != TTI_MESSAGE_WITHDRAWN)
        tti_sender_refuse(message->source, message->send_id, tti_message_refusal());
}

static void refuse_kept(tti_arrival *arrival)
{
    tti_arrival_take(arrival);
    tti_message_refuse(&arrival->message);
    tti_arrival_free(arrival);
}

void tti_arrivals_purge(uint64_t context)
{
    tti_match *match = &tti_p2p_engine.match;
    tti_match_message *one;
    for (int space = TTI_SPACE_USER; space <= TTI_SPACE_KEEP; space++) {
        const uint64_t number = tti_p2p_matching(context, (enum tti_p2p_space)space);
        while ((one = tti_match_find(match, number, TTI_MATCH_ANY, TTI_MATCH_ANY)) != NULL)
            refuse_kept((tti_arrival *)one);
    }
}

static void pick_unwanted(tti_match_message *match, void *context)
{
    tti_arrival *arrival = (tti_arrival *)match, **victims = context;
    if (tti_arrival_is_wanted(arrival->message.context, arrival->message.source)) return;
    arrival->next_free = *victims;
    *victims = arrival;
}

static void purge_unwanted(void)
{
    tti_arrival *victims = NULL;
    tti_match_each_waiting(&tti_p2p_engine.match, pick_unwanted, &victims);
    while (victims != NULL) {
        tti_arrival *next = victims->next_free;
        refuse_kept(victims);
        victims = next;
    }
}

void tti_p2p_expect_context(bool expect)
{
    wants.expecting += expect ? 1 : -1;
    if (wants.expecting > 0 || !wants.early) return;
    wants.early = false;
    purge_unwanted();
}

void tti_arrivals_refuse_all(void)
{
    wants.finishing = true;
    purge_unwanted();
    tti_arrivals_end_taken(NULL, tti_message_refuse);
}

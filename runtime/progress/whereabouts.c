/* SPDX-License-Identifier: BSD-3-Clause */
/* Where are you? Asked of the ranks that a wait is for, and answered by their progress. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/watchdog.h"

/* A question, and its answer: the same with the rest filled in. */
typedef struct {
    uint32_t serial; /* of the question, at who asked */
    uint8_t is_answer, is_collective, come, inside;
    uint64_t context, number; /* of the collective that is asked about, as tti_awaited has it */
    int64_t ns;
    int32_t peer;
    uint8_t lists; /* the rank lists its waits: it has TUTTI_WATCHDOG */
    char call[35];
} where_packet;

static tti_where_fn *send_to;

static tti_watched *find_inside(uint64_t context, uint64_t number)
{
    for (tti_watched *w = tti_watchdog_waits; w != NULL; w = w->next) {
        tti_awaited awaited;
        tti_watched_describe(w, &awaited);
        if (awaited.comm != NULL && awaited.comm->context == context && awaited.number == number) return w;
    }
    return NULL;
}

/* Who has begun a later one has begun this one, too. */
static bool has_begun(const where_packet *question)
{
    const tutti_comm *comm = tti_comm_find(question->context);
    return comm != NULL && (int32_t)(comm->sequence - (uint32_t)question->number) > 0;
}

static void answer(int rank, const where_packet *question)
{
    where_packet reply = *question;
    tti_watched *inside = NULL, *told = tti_watchdog_waits;
    if (question->is_collective) inside = find_inside(question->context, question->number);
    if (inside != NULL) told = inside;
    reply.is_answer = 1;
    reply.lists = tti_watchdog_ns > 0;
    reply.inside = inside != NULL;
    reply.come = inside != NULL || (question->is_collective && has_begun(question));
    reply.peer = TTI_NO_PEER;
    reply.call[0] = '\0';
    if (told != NULL) {
        tti_awaited awaited;
        tti_watched_describe(told, &awaited);
        snprintf(reply.call, sizeof reply.call, "%s", told->what);
        reply.ns = tti_clock_ns() - told->began;
        if (awaited.count == 1) reply.peer = awaited.ranks[0];
    }
    if (send_to(rank, &reply, sizeof reply) < 0) return; /* it will do without */
}

static tti_answered *find_answer(tti_watched *w, int rank)
{
    for (int i = 0; i < w->count; i++)
        if (w->answers[i].rank == rank) return &w->answers[i];
    return NULL;
}

static void note_answer(int rank, const where_packet *reply)
{
    tti_watched *w = tti_watchdog_waits;
    while (w != NULL && (w->asked_ns == 0 || w->serial != reply->serial))
        w = w->next;
    tti_answered *a = w != NULL ? find_answer(w, rank) : NULL;
    if (a == NULL || a->answered) return; /* it came too late */
    a->answered = true;
    a->come = reply->come != 0;
    a->inside = reply->inside != 0;
    a->lists = reply->lists != 0;
    a->peer = reply->peer;
    a->ns = reply->ns;
    snprintf(a->call, sizeof a->call, "%.*s", (int)sizeof reply->call - 1, reply->call);
    w->missing--;
}

bool tti_where_heard(int rank, const void *payload, size_t bytes)
{
    where_packet packet;
    if (bytes != sizeof packet) return false;
    memcpy(&packet, payload, sizeof packet);
    if (packet.is_answer)
        note_answer(rank, &packet);
    else
        answer(rank, &packet);
    return true;
}

void tti_whereabouts_open(tti_where_fn *send)
{
    tti_watchdog_waits = NULL;
    send_to = send;
}

static void ask_one(tti_watched *w, const where_packet *question, int rank)
{
    if (rank == tti_peers.job->rank) return;
    tti_answered *a = &w->answers[w->count++];
    *a = (tti_answered){.rank = rank, .peer = TTI_NO_PEER};
    w->missing += send_to(rank, question, sizeof *question) == 0;
}

void tti_whereabouts_ask(tti_watched *w)
{
    static uint32_t serial;
    tti_awaited awaited;
    tti_watched_describe(w, &awaited);
    where_packet question = {.serial = ++serial, .is_collective = awaited.comm != NULL};
    const bool all = awaited.comm != NULL && awaited.comm->size <= TTI_WATCHDOG_ASKED;
    const int few = awaited.count < TTI_WATCHDOG_RANKS ? awaited.count : TTI_WATCHDOG_RANKS;
    const int count = all ? awaited.comm->size : few;
    if (awaited.comm != NULL) question.context = awaited.comm->context;
    question.number = awaited.number;
    w->serial = question.serial;
    w->count = w->missing = 0;
    w->answers = count > 0 ? calloc((size_t)count, sizeof *w->answers) : NULL;
    for (int i = 0; i < count && w->answers != NULL; i++)
        ask_one(w, &question, all ? tti_comm_job_rank(awaited.comm, i) : awaited.ranks[i]);
}

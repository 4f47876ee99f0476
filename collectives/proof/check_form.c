/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/proof/checker_state.h"

typedef struct {
    tti_checker *checker;
    int rank, step;
    size_t room[TTI_SPACES];
} place;

/* What lies in the front of a WINDOW ends there: the rest is elsewhere. */
static bool in_bounds(const place *at, int space, size_t offset, size_t bytes, const char *what)
{
    const size_t front = space == TTI_WINDOW ? at->checker->shape->front : 0;
    if (offset < front && offset + bytes > front)
        return tti_check_wrong(at->checker, "rank %d step %d %s bytes %zu to %zu, over the end of the front",
                               at->rank, at->step, what, offset, offset + bytes);
    if (space < TTI_SPACES && offset <= at->room[space] && bytes <= at->room[space] - offset) return true;
    return tti_check_wrong(at->checker, "rank %d step %d %s bytes %zu to %zu of space %d, which has %zu",
                           at->rank, at->step, what, offset, offset + bytes, space,
                           space < TTI_SPACES ? at->room[space] : 0);
}

static bool check_message(const place *at, const tti_step *step)
{
    if (step->peer >= 0 && step->peer < at->checker->ranks && step->peer != at->rank &&
        at->rank < at->checker->ranks)
        return true;
    return tti_check_wrong(at->checker, "rank %d step %d has peer %d of %d ranks", at->rank, at->step,
                           step->peer, at->checker->ranks);
}

static bool shares(const place *at, const tti_step *step, const char *what)
{
    const int peer = step->peer, size = at->checker->size;
    if (peer >= 0 && peer < size && tti_check_shares(at->checker, at->rank, peer)) return true;
    return tti_check_wrong(at->checker, "rank %d step %d %s of rank %d of %d, which shares no memory with it",
                           at->rank, at->step, what, peer, size);
}

/* A source in a peer's memory, in its WINDOW or what it shows. */
static bool check_peer_source(const place *at, const tti_step *step)
{
    const int peer = step->peer;
    if (!shares(at, step, "reads")) return false;
    const tti_schedule *theirs = tti_check_schedule(at->checker, peer);
    place there = *at;
    there.room[TTI_WINDOW] = theirs->window;
    there.room[TTI_SCRATCH] = 0;
    for (int s = 0; s < TTI_SHOWN; s++)
        there.room[s] = theirs->shown[s].bytes;
    return in_bounds(&there, step->from_space, step->from, step->bytes, "reads");
}

/* The target of a PUT, in what the peer shows as its OUTPUT. The last to come has no part in it. */
static bool check_put(const place *at, const tti_step *step)
{
    const int last = at->checker->ranks;
    if (!shares(at, step, "puts into the memory")) return false;
    if ((step->to_space != TTI_OUTPUT && !tti_step_is_told(step)) || at->rank == last || step->peer == last)
        return tti_check_wrong(at->checker, "rank %d step %d puts into no OUTPUT", at->rank, at->step);
    const tti_shown *shown = &tti_check_schedule(at->checker, step->peer)->shown[TTI_OUTPUT];
    if (shown->bytes > 0 && !shown->written)
        return tti_check_wrong(at->checker, "rank %d step %d puts into what is shown to be read", at->rank,
                               at->step);
    if (shown->bytes > 0 && shown->told != tti_step_is_told(step))
        return tti_check_wrong(at->checker, "rank %d step %d puts %s a number says, unlike what is shown",
                               at->rank, at->step, shown->told ? "not where" : "where");
    if (tti_step_is_told(step)) return in_bounds(at, TTI_SCRATCH, step->to, TTI_STEP_WORD, "goes by");
    place there = *at;
    there.room[TTI_OUTPUT] = shown->bytes;
    return in_bounds(&there, TTI_OUTPUT, step->to, step->bytes, "puts into");
}

/* By which the executor counts what it combines. */
static bool has_element(const place *at)
{
    const size_t has = tti_check_schedule(at->checker, at->rank)->element,
                 wanted = at->checker->shape->element;
    if (has == wanted) return true;
    return tti_check_wrong(at->checker, "rank %d step %d reduces elements of %zu bytes, not of %zu", at->rank,
                           at->step, has, wanted);
}

static bool check_local(const place *at, const tti_step *step)
{
    const bool apart = step->peer != TTI_OWN || step->from_space != step->to_space ||
                       step->from + step->bytes <= step->to || step->to + step->bytes <= step->from;
    if (!apart)
        return tti_check_wrong(at->checker, "rank %d step %d: source and target overlap", at->rank, at->step);
    if (step->kind == TTI_STEP_REDUCE && !has_element(at)) return false;
    if (step->kind == TTI_STEP_REDUCE && step->bytes % at->checker->shape->element != 0)
        return tti_check_wrong(at->checker, "rank %d step %d reduces %zu bytes, no whole elements", at->rank,
                               at->step, step->bytes);
    return true;
}

static bool check_source(const place *at, const tti_step *step)
{
    if (!tti_step_reads(step)) return true;
    const bool own = tti_step_is_message(step) || step->kind == TTI_STEP_PUT || step->peer == TTI_OWN;
    if (!own) return check_peer_source(at, step);
    return in_bounds(at, step->from_space, step->from, step->bytes, "reads");
}

/* A number is told in the own WINDOW or SCRATCH, and compared there or in a peer's WINDOW. */
static bool check_number(const place *at, const tti_step *step)
{
    const bool tells = step->kind == TTI_STEP_TELL;
    const int space = tells ? step->to_space : step->from_space;
    const bool own = step->peer == TTI_OWN && space == TTI_SCRATCH;
    if (step->bytes == TTI_STEP_WORD && (step->peer == TTI_OWN || !tells) && (own || space == TTI_WINDOW))
        return true;
    return tti_check_wrong(at->checker, "rank %d step %d has %zu bytes of peer %d for a number", at->rank,
                           at->step, step->bytes, step->peer);
}

/* Where the numbers of a need stand, and of what that is asked. The last to come has none. */
static bool check_need(const place *at, const tti_step *step)
{
    const tti_schedule *schedule = tti_check_schedule(at->checker, at->rank);
    if (step->need == 0) return true;
    const bool moves = tti_step_is_message(step) || step->kind == TTI_STEP_COPY;
    if (!moves || tti_step_reaches(step) || step->need > schedule->need_count ||
        at->rank == at->checker->ranks)
        return tti_check_wrong(at->checker, "rank %d step %d has a need, and must not", at->rank, at->step);
    const tti_need *need = tti_schedule_need(schedule, step);
    if (need->most == 0 || (tti_step_reads(step) && (need->count <= 0 || need->before > step->from)))
        return tti_check_wrong(at->checker, "rank %d step %d has a need of no numbers", at->rank, at->step);
    if (!tti_step_reads(step)) return true;
    const tti_step numbers = tti_check_numbers(step, need);
    return check_source(at, &numbers);
}

static bool check_ends(const place *at, const tti_step *step)
{
    switch (step->kind) {
    case TTI_STEP_SEND:
    case TTI_STEP_RECV: return check_message(at, step);
    case TTI_STEP_TELL:
    case TTI_STEP_COMPARE: return check_number(at, step);
    case TTI_STEP_PUT: return check_put(at, step);
    default: return check_local(at, step);
    }
}

static bool check_shown(const place *at, const tti_schedule *schedule)
{
    for (int s = 0; s < TTI_SHOWN; s++) {
        const tti_shown *shown = &schedule->shown[s];
        const bool kept = shown->space == TTI_INPUT || shown->space == TTI_OUTPUT;
        if (shown->bytes > 0 && !kept)
            return tti_check_wrong(at->checker, "rank %d shows space %d, no buffer of the caller's", at->rank,
                                   shown->space);
        if (shown->written && (s != TTI_OUTPUT || shown->space != TTI_OUTPUT))
            return tti_check_wrong(at->checker, "rank %d shows an INPUT to be written", at->rank);
        if (shown->bytes > 0 && !in_bounds(at, shown->space, shown->at, shown->bytes, "shows")) return false;
    }
    return true;
}

static bool check_step(const place *at, const tti_step *step)
{
    if (step->kind > TTI_STEP_PUT)
        return tti_check_wrong(at->checker, "rank %d step %d has no kind", at->rank, at->step);
    if (tti_step_is_meeting(step)) return true; /* see check_meetings.c */
    if (!check_ends(at, step) || !check_source(at, step) || !check_need(at, step)) return false;
    if (!tti_step_writes(step)) return true;
    if (step->to_space == TTI_INPUT && step->bytes > 0)
        return tti_check_wrong(at->checker, "rank %d step %d writes to INPUT", at->rank, at->step);
    return in_bounds(at, step->to_space, step->to, step->bytes, "writes");
}

/* Successors come later, and each step waits for as many as have it as their successor. */
static bool check_links(tti_checker *checker, int rank)
{
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    int *waits = checker->waits + checker->first[rank];
    for (int i = 0; i < schedule->count; i++)
        waits[i] = 0;
    for (int i = 0; i < schedule->count; i++)
        for (int n = schedule->next_start[i]; n < schedule->next_start[i + 1]; n++) {
            const int next = schedule->next[n];
            if (next <= i || next >= schedule->count)
                return tti_check_wrong(checker, "rank %d step %d precedes step %d", rank, i, next);
            waits[next]++;
        }
    for (int i = 0; i < schedule->count; i++)
        if (waits[i] != schedule->waits[i])
            return tti_check_wrong(checker, "rank %d step %d waits for %d steps, but %d precede it", rank, i,
                                   schedule->waits[i], waits[i]);
    return true;
}

/* The addresses of what is shown stand where WINDOW is else. */
static bool check_window(tti_checker *checker, int rank)
{
    const size_t has = checker->shape->window, uses = tti_check_schedule(checker, rank)->window;
    if (uses > 0 && tti_schedule_shows(tti_check_schedule(checker, rank)))
        return tti_check_wrong(checker, "rank %d shows its buffers, and uses %zu bytes of WINDOW", rank,
                               uses);
    if (uses <= has) return true;
    return tti_check_wrong(checker, "rank %d uses %zu bytes of WINDOW, but has %zu", rank, uses, has);
}

/* The executor has room for as many as the schedule says. */
static bool check_messages(tti_checker *checker, int rank)
{
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    int messages = 0;
    for (int i = 0; i < schedule->count; i++)
        messages += tti_step_is_message(&schedule->steps[i]);
    if (messages == schedule->messages) return true;
    return tti_check_wrong(checker, "rank %d has %d messages, but says %d", rank, messages,
                           schedule->messages);
}

/* The last to come has a WINDOW and no other memory. */
static place begin(tti_checker *checker, int rank)
{
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    place at = {.checker = checker, .rank = rank, .room = {[TTI_WINDOW] = schedule->window}};
    if (rank == checker->ranks) return at;
    const tti_shape shape = tti_checker_shape(checker->contract->number, checker->shape, rank);
    at.room[TTI_INPUT] = tti_contract_input(checker->contract, &shape);
    at.room[TTI_OUTPUT] = tti_contract_output(checker->contract, &shape);
    at.room[TTI_SCRATCH] = schedule->scratch;
    return at;
}

bool tti_check_form(tti_checker *checker)
{
    for (int rank = 0; rank < checker->size; rank++) {
        const tti_schedule *schedule = tti_check_schedule(checker, rank);
        place at = begin(checker, rank);
        if (!check_window(checker, rank) || !check_shown(&at, schedule)) return false;
        for (at.step = 0; at.step < schedule->count; at.step++)
            if (!check_step(&at, &schedule->steps[at.step])) return false;
        if (!check_messages(checker, rank) || !check_links(checker, rank)) return false;
    }
    return true;
}

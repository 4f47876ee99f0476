/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tests/proof/draft.h"

const char *mutation_name(enum mutation mutation)
{
    static const char *const names[MUTATIONS] = {
        [MUTATION_DROP] = "a dropped step",
        [MUTATION_TWICE] = "a step done twice",
        [MUTATION_PEER] = "a wrong peer",
        [MUTATION_TAG] = "a wrong tag",
        [MUTATION_EARLIER] = "a number too low",
        [MUTATION_BYTES] = "a wrong size",
        [MUTATION_FROM] = "a wrong source offset",
        [MUTATION_TO] = "a wrong target offset",
        [MUTATION_BACK] = "a source offset too low",
        [MUTATION_NEED] = "a number not looked at",
        [MUTATION_ORDER] = "a wrong order of reduction",
        [MUTATION_UNTIE] = "a dropped dependency",
        [MUTATION_SWAP] = "an exchange of two steps",
    };
    return names[mutation];
}

/* Posts bear numbers in their order, whatever was done to them: a wrong number alone is another mutation. */
static void number_posts(draft *d)
{
    int posts = 0;
    for (int i = 0; i < d->count; i++)
        if (d->steps[i].kind == TTI_STEP_POST) d->steps[i].tag = ++posts;
}

static bool drop_step(draft *d, int at)
{
    int kept = 0;
    for (int e = 0; e < d->edge_count; e++) {
        draft_edge now = d->edges[e];
        if (now.before == at || now.after == at) continue;
        now.before -= now.before > at;
        now.after -= now.after > at;
        d->edges[kept++] = now;
    }
    d->edge_count = kept;
    memmove(&d->steps[at], &d->steps[at + 1], (size_t)(d->count - at - 1) * sizeof *d->steps);
    d->count--;
    number_posts(d);
    return true;
}

/* Once more right after itself, in order with all that it is in order with. Two REDUCEs are in order with
 * each other, too: the result is wrong. A COPY or PUT that comes twice is wrong only if it has no order. */
static bool do_twice(draft *d, int at)
{
    const tti_step *step = &d->steps[at];
    const bool reduces = step->kind == TTI_STEP_REDUCE;
    if (!reduces && step->kind != TTI_STEP_COPY && step->kind != TTI_STEP_PUT) return false;
    if (step->bytes == 0) return false;
    memmove(&d->steps[at + 1], &d->steps[at], (size_t)(d->count - at) * sizeof *d->steps);
    d->count++;
    const int edges = d->edge_count;
    for (int e = 0; e < edges; e++) {
        draft_edge *edge = &d->edges[e];
        const bool comes_before = edge->after == at;
        edge->before += edge->before >= at;
        edge->after += edge->after > at;
        if (!reduces && comes_before) d->edges[d->edge_count++] = (draft_edge){edge->before, at + 1};
        if (!reduces && edge->before == at + 1) d->edges[d->edge_count++] = (draft_edge){at, edge->after};
    }
    if (reduces) d->edges[d->edge_count++] = (draft_edge){at, at + 1};
    return true;
}

/* The next other rank, of those that share memory with the caller where that is asked. */
static int next_peer(const mutation_call *call, int peer, bool sharing)
{
    do
        peer = (peer + 1) % call->shape->size;
    while (peer == call->rank || (sharing && !tti_shape_shares(call->shape, call->rank, peer)));
    return peer;
}

static bool change_peer(tti_step *step, const mutation_call *call)
{
    const bool local = !tti_step_is_message(step) && !tti_step_is_meeting(step);
    if (local && step->peer == TTI_OWN) return false;
    const int old = step->peer == TTI_ALL ? call->rank : step->peer;
    if (!tti_step_is_message(step)) {
        const int next = next_peer(call, old, true);
        const bool only = next == next_peer(call, next, true); /* that shares memory */
        if (only && !local) return false;
        step->peer = only ? TTI_OWN : next;
        return true;
    }
    if (call->shape->size == 2) return false;
    step->peer = next_peer(call, old, false);
    return true;
}

/* An AWAIT of a later post takes no order away and is left out. */
static bool change_tag(tti_step *step, int by)
{
    const bool counts = tti_step_is_meeting(step);
    if (by > 0 && step->kind == TTI_STEP_AWAIT) return false;
    if (!tti_step_is_message(step) && !counts) return false;
    if (by < 0 && (!counts || step->tag == 0)) return false;
    step->tag += by;
    return true;
}

/* Bytes and offsets, of steps that have some. */
static bool change_extent(tti_step *step, enum mutation mutation, size_t element)
{
    if (step->bytes == 0) return false;
    if (mutation == MUTATION_BYTES) {
        step->bytes -= element;
        return true;
    }
    if (mutation == MUTATION_TO) {
        if (step->kind == TTI_STEP_SEND) return false;
        step->to += element;
        return true;
    }
    if (step->kind == TTI_STEP_RECV || (mutation == MUTATION_BACK && step->from < element)) return false;
    step->from += mutation == MUTATION_BACK ? (size_t)0 - element : element;
    return true;
}

static bool overlook_number(draft *d, const tti_step *step)
{
    if (step->need == 0 || !tti_step_reads(step)) return false;
    d->needs[step->need - 1].count--;
    return true;
}

static bool exchange_sources(draft *d, int at, bool commutes)
{
    if (commutes || at + 1 >= d->count) return false;
    tti_step *a = &d->steps[at], *b = a + 1;
    if (a->kind != TTI_STEP_REDUCE || b->kind != TTI_STEP_REDUCE) return false;
    if (a->to_space != b->to_space || a->to != b->to) return false;
    /* Each waits for the other's source as well, so that it is the order alone that is wrong. */
    for (int e = 0; e < d->edge_count; e++)
        if (d->edges[e].after == at + 1 && d->edges[e].before < at) d->edges[e].after = at;
    const tti_step held = *a;
    a->from_space = b->from_space;
    a->from = b->from;
    a->peer = b->peer;
    b->from_space = held.from_space;
    b->from = held.from;
    b->peer = held.peer;
    return true;
}

/* Left out is what takes no order away: a POST that comes later, an AWAIT that comes earlier; and two of a
 * kind, for which the one order may be as good as the other (MUTATION_ORDER has those where it is not). */
static bool exchange_steps(draft *d, int edge)
{
    tti_step *a = &d->steps[d->edges[edge].before], *b = &d->steps[d->edges[edge].after];
    if (a->kind == TTI_STEP_POST || b->kind == TTI_STEP_AWAIT || a->kind == b->kind) return false;
    const tti_step held = *a;
    *a = *b;
    *b = held;
    number_posts(d);
    return true;
}

bool draft_mutate(draft *d, enum mutation mutation, int at, const mutation_call *call)
{
    switch (mutation) {
    case MUTATION_DROP: return drop_step(d, at);
    case MUTATION_TWICE: return do_twice(d, at);
    case MUTATION_PEER: return change_peer(&d->steps[at], call);
    case MUTATION_TAG: return change_tag(&d->steps[at], 1);
    case MUTATION_EARLIER: return change_tag(&d->steps[at], -1);
    case MUTATION_BYTES:
    case MUTATION_FROM:
    case MUTATION_TO:
    case MUTATION_BACK: return change_extent(&d->steps[at], mutation, call->shape->element);
    case MUTATION_NEED: return overlook_number(d, &d->steps[at]);
    case MUTATION_ORDER: return exchange_sources(d, at, call->shape->commutes);
    case MUTATION_UNTIE: d->edges[at] = d->edges[--d->edge_count]; return true;
    case MUTATION_SWAP: return exchange_steps(d, at);
    case MUTATIONS: break;
    }
    return false;
}

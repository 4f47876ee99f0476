/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/agree/agree_state.h"

#include <string.h>

size_t tti_agree_memory(int size)
{
    return tti_agree_words(size) * (1 + 2 * TTI_AGREE_ROUNDS);
}

static tti_agree_round *round_of(tti_agree_state *s, uint32_t number)
{
    return &s->rounds[number % TTI_AGREE_ROUNDS];
}

static void clear(const tti_agree_state *s, tti_agree_round *r, uint32_t number)
{
    const size_t bytes = tti_agree_words(s->size) * sizeof *r->heard;
    uint64_t *const failed = r->value.failed, *const heard = r->heard;
    memset(failed, 0, bytes);
    memset(heard, 0, bytes);
    *r = (tti_agree_round){.number = number, .told = -1, .heard = heard, .value.failed = failed};
}

void tti_agree_open(tti_agree_state *s, int rank, int size, int arity, uint64_t *memory)
{
    const size_t words = tti_agree_words(size);
    *s = (tti_agree_state){.rank = rank, .size = size, .arity = arity, .dead = memory};
    memset(memory, 0, tti_agree_memory(size) * sizeof *memory);
    for (uint32_t i = 0; i < TTI_AGREE_ROUNDS; i++) {
        s->rounds[i].heard = memory += words;
        s->rounds[i].value.failed = memory += words;
        clear(s, &s->rounds[i], i);
    }
}

/* The nearest living ancestor, else the first living rank; -1: that is this one. */
static int parent_of(const tti_agree_state *s)
{
    int at = s->rank;
    while (at > 0) {
        at = (at - 1) / s->arity;
        if (!tti_agree_has(s->dead, at)) return at;
    }
    while (at < s->rank && tti_agree_has(s->dead, at))
        at++;
    return at < s->rank ? at : -1;
}

/* Whether `rank` and all below it that live have said what they say. Goes below dead ranks alone, and below
 * this one. */
static bool is_covered(const tti_agree_state *s, const tti_agree_round *r, int rank)
{
    if (tti_agree_has(r->heard, rank)) return true;
    if (rank != s->rank && !tti_agree_has(s->dead, rank)) return false;
    const int64_t first = (int64_t)rank * s->arity + 1;
    for (int64_t child = first; child < first + s->arity && child < s->size; child++)
        if (!is_covered(s, r, (int)child)) return false;
    return true;
}

static void send(const tti_agree_state *s, int to, enum tti_agree_message message, const tti_agree_round *r)
{
    s->send(s->context, to, message, r->number, &r->value);
}

/* To those that have told this rank, or may have told ranks that are dead, but for `except`. */
static void spread(const tti_agree_state *s, const tti_agree_round *r, int except)
{
    for (size_t word = 0; word < tti_agree_words(s->size); word++)
        for (uint64_t left = r->heard[word] & ~s->dead[word]; left != 0; left &= left - 1) {
            const int to = (int)(word * 64) + __builtin_ctzll(left);
            if (to != except) send(s, to, TTI_AGREE_DOWN, r);
        }
}

/* Nobody who is not waited for goes untold. Deaths that nobody has said nobody has taken note of. */
static void add_dead(const tti_agree_state *s, tti_agree_value *value)
{
    for (size_t word = 0; word < tti_agree_words(s->size); word++) {
        if ((s->dead[word] & ~value->failed[word]) != 0) value->noted = false;
        value->failed[word] |= s->dead[word];
    }
}

static void decide(tti_agree_state *s, tti_agree_round *r)
{
    r->value.offer = s->offer;
    r->decided = true;
    spread(s, r, -1);
}

/* Of two ranks each tells the other, and decides when it has heard it: what both know is the same. A rank
 * that dies between the two leaves one survivor, whose decision is as good as any. */
static void advance_pair(tti_agree_state *s, tti_agree_round *r)
{
    const int other = 1 - s->rank;
    if (s->rank == 0) r->value.offer = s->offer;
    if (r->told < 0) {
        r->told = other;
        add_dead(s, &r->value);
        if (!tti_agree_has(s->dead, other)) send(s, other, TTI_AGREE_UP, r);
    }
    if (!tti_agree_has(r->heard, other) && !tti_agree_has(s->dead, other)) return;
    add_dead(s, &r->value);
    r->decided = true;
}

static void advance_in_tree(tti_agree_state *s, tti_agree_round *r)
{
    const int parent = parent_of(s);
    if (!is_covered(s, r, parent < 0 ? 0 : s->rank)) return;
    add_dead(s, &r->value);
    if (parent < 0) {
        decide(s, r);
    } else if (parent != r->told) {
        r->told = parent;
        send(s, parent, TTI_AGREE_UP, r);
    }
}

static void advance(tti_agree_state *s, tti_agree_round *r)
{
    if (!r->begun || r->decided) return;
    if (s->size == 2)
        advance_pair(s, r);
    else
        advance_in_tree(s, r);
}

static void copy(const tti_agree_state *s, tti_agree_value *to, const tti_agree_value *from)
{
    uint64_t *const failed = to->failed;
    memcpy(failed, from->failed, tti_agree_words(s->size) * sizeof *failed);
    *to = *from;
    to->failed = failed;
}

static void take_in(const tti_agree_state *s, tti_agree_round *r, const tti_agree_value *said)
{
    tti_agree_value *all = &r->value;
    if (!r->any) {
        r->any = true;
        copy(s, all, said);
        return;
    }
    all->flags &= said->flags;
    all->noted = all->noted && said->noted;
    if (all->kind != said->kind) all->kind = TTI_AGREE_MIXED;
    for (size_t word = 0; word < tti_agree_words(s->size); word++) {
        if (all->failed[word] != said->failed[word]) all->noted = false;
        all->failed[word] |= said->failed[word];
    }
}

/* The round after this one gets the place of the one before the last. */
void tti_agree_begin(tti_agree_state *s, const tti_agree_value *said)
{
    tti_agree_round *r = round_of(s, ++s->number);
    clear(s, round_of(s, s->number + 1), s->number + 1);
    s->offer = said->offer;
    r->begun = true;
    if (!r->decided) take_in(s, r, said);
    advance(s, r);
}

static void up(tti_agree_state *s, int from, tti_agree_round *r, const tti_agree_value *value)
{
    tti_agree_put(r->heard, from);
    if (r->decided) {
        send(s, from, TTI_AGREE_DOWN, r);
        return;
    }
    take_in(s, r, value);
    if (from < s->rank) r->value.offer = value->offer; /* of a pair's first */
    advance(s, r);
}

static void down(tti_agree_state *s, int from, tti_agree_round *r, const tti_agree_value *value)
{
    if (r->decided) return;
    copy(s, &r->value, value);
    r->decided = true;
    spread(s, r, from);
}

/* The deaths that others know of are as true as those that this rank has heard of itself. */
static void learn(tti_agree_state *s, const tti_agree_value *value)
{
    for (size_t word = 0; word < tti_agree_words(s->size); word++)
        for (uint64_t left = value->failed[word] & ~s->dead[word]; left != 0; left &= left - 1) {
            const int rank = (int)(word * 64) + __builtin_ctzll(left);
            if (rank != s->rank) tti_agree_died(s, rank);
        }
}

bool tti_agree_heard(tti_agree_state *s, int from, enum tti_agree_message message, uint32_t number,
                     const tti_agree_value *value)
{
    if (number == 0 || number > s->number + 1) return false;
    if (number + 1 < s->number || tti_agree_has(s->dead, from)) return true;
    learn(s, value);
    if (message == TTI_AGREE_UP)
        up(s, from, round_of(s, number), value);
    else
        down(s, from, round_of(s, number), value);
    return true;
}

/* The next round has not been begun, and the first one has none before. */
void tti_agree_died(tti_agree_state *s, int rank)
{
    const int before = parent_of(s);
    if (tti_agree_has(s->dead, rank)) return;
    tti_agree_put(s->dead, rank);
    const int parent = parent_of(s);
    for (uint32_t number = s->number > 0 ? s->number - 1 : 0; number <= s->number; number++) {
        tti_agree_round *r = round_of(s, number);
        if (number == 0) continue;
        if (!r->decided)
            advance(s, r);
        else if (parent != before && parent >= 0)
            send(s, parent, TTI_AGREE_DOWN, r);
    }
}

const tti_agree_value *tti_agree_decision(const tti_agree_state *s, uint32_t number)
{
    const tti_agree_round *r = &s->rounds[number % TTI_AGREE_ROUNDS];
    return number > 0 && r->number == number && r->decided ? &r->value : NULL;
}

/* Nobody needs the one before once the last is decided. */
void tti_agree_leave(tti_agree_state *s)
{
    const uint32_t last =
        tti_agree_decision(s, s->number) != NULL || s->number == 0 ? s->number : s->number - 1;
    if (tti_agree_decision(s, last) == NULL) return;
    for (int to = 0; to < s->size; to++)
        if (to != s->rank && !tti_agree_has(s->dead, to)) send(s, to, TTI_AGREE_DOWN, round_of(s, last));
}

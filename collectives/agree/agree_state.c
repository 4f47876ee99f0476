/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/agree/agree_state.h"

#include <string.h>

#include "collectives/agree/agree_tree.h"

size_t tti_agree_memory(int size)
{
    return tti_agree_words(size) * (1 + 4 * TTI_AGREE_ROUNDS);
}

static tti_agree_round *round_of(tti_agree_state *s, uint64_t number)
{
    return &s->rounds[number % TTI_AGREE_ROUNDS];
}

static void clear(const tti_agree_state *s, tti_agree_round *r, uint64_t number)
{
    const size_t bytes = tti_agree_words(s->size) * sizeof *r->heard;
    uint64_t *const failed = r->value.failed, *const heard = r->heard, *const asked = r->asked,
                    *const askers = r->askers;
    memset(failed, 0, bytes);
    memset(heard, 0, bytes);
    memset(asked, 0, bytes);
    memset(askers, 0, bytes);
    *r = (tti_agree_round){.number = number,
                           .told = -1,
                           .heard = heard,
                           .asked = asked,
                           .askers = askers,
                           .value.failed = failed};
}

void tti_agree_open(tti_agree_state *s, int rank, int size, const tti_agree_branch *tree, uint64_t *memory)
{
    const size_t words = tti_agree_words(size);
    *s = (tti_agree_state){.rank = rank, .size = size, .tree = tree, .dead = memory};
    memset(memory, 0, tti_agree_memory(size) * sizeof *memory);
    for (uint32_t i = 0; i < TTI_AGREE_ROUNDS; i++) {
        s->rounds[i].heard = memory += words;
        s->rounds[i].asked = memory += words;
        s->rounds[i].askers = memory += words;
        s->rounds[i].value.failed = memory += words;
        clear(s, &s->rounds[i], i);
    }
}

static void send(const tti_agree_state *s, int to, enum tti_agree_message message, const tti_agree_round *r)
{
    s->send(s->context, to, message, r->number, &r->value);
}

/* To those that have told this rank, or may have told ranks that are dead, but for `except`. */
static void spread(const tti_agree_state *s, const tti_agree_round *r, int except)
{
    for (size_t word = 0; word < tti_agree_words(s->size); word++)
        for (uint64_t left = (r->heard[word] | r->askers[word]) & ~s->dead[word]; left != 0;
             left &= left - 1) {
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
    const int parent = tti_agree_parent(s), top = parent < 0 ? 0 : s->rank;
    if (!tti_agree_covers(s, r, top)) {
        tti_agree_ask(s, r, top);
        return;
    }
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

static void asked(const tti_agree_state *s, int from, tti_agree_round *r)
{
    tti_agree_put(r->askers, from);
    if (r->decided) send(s, from, TTI_AGREE_DOWN, r);
}

static void down(tti_agree_state *s, int from, tti_agree_round *r, const tti_agree_value *value)
{
    if (r->decided) return;
    copy(s, &r->value, value);
    r->decided = true;
    spread(s, r, from);
}

static void believe(tti_agree_state *s, int rank)
{
    s->cast_out(s->context, rank);
    tti_agree_died(s, rank);
}

/* `from` says that a rank before it is dead, of which this one has not heard. If that lives, it goes on
 * without `from`; if it is dead, this rank hears of it so. */
static void doubt(const tti_agree_state *s, int from, int rank, uint64_t number)
{
    const tti_agree_value by = {.offer = (uint64_t)from, .failed = s->dead};
    s->send(s->context, rank, TTI_AGREE_DOUBT, number, &by);
}

static bool is_none(const tti_agree_state *s, const uint64_t *set)
{
    size_t word = 0;
    while (word < tti_agree_words(s->size) && set[word] == 0)
        word++;
    return word == tti_agree_words(s->size);
}

/* Where the connection of two that live breaks, each says that the other is dead: the lower one counts. What
 * has been decided counts for all. Takes out of `value` what is not believed. */
static void learn(tti_agree_state *s, int from, enum tti_agree_message message, uint64_t number,
                  tti_agree_value *value)
{
    for (size_t word = 0; word < tti_agree_words(s->size); word++)
        for (uint64_t left = value->failed[word] & ~s->dead[word]; left != 0; left &= left - 1) {
            const int rank = (int)(word * 64) + __builtin_ctzll(left);
            if (rank == s->rank) continue;
            if (rank > from || message == TTI_AGREE_DOWN) {
                believe(s, rank);
                continue;
            }
            value->failed[word] &= ~(UINT64_C(1) << (rank % 64));
            doubt(s, from, rank, number);
        }
    value->noted = value->noted || is_none(s, value->failed);
}

static bool doubted(tti_agree_state *s, uint64_t by)
{
    if (by >= (uint64_t)s->size || by == (uint64_t)s->rank) return false;
    if (!tti_agree_has(s->dead, (int)by)) believe(s, (int)by);
    return true;
}

bool tti_agree_heard(tti_agree_state *s, int from, enum tti_agree_message message, uint64_t number,
                     tti_agree_value *value)
{
    if (number == 0 || number > s->number + 1) return false;
    if (number + 1 < s->number || tti_agree_has(s->dead, from)) return true;
    if (message == TTI_AGREE_DOUBT) return doubted(s, value->offer);
    if (value->kind != TTI_AGREE_FREED) learn(s, from, message, number, value);
    tti_agree_round *r = round_of(s, number);
    if (message == TTI_AGREE_UP)
        up(s, from, r, value);
    else if (message == TTI_AGREE_ASK)
        asked(s, from, r);
    else
        down(s, from, r, value);
    return true;
}

/* The next round has not been begun, and the first one has none before. */
void tti_agree_died(tti_agree_state *s, int rank)
{
    const int before = tti_agree_parent(s);
    if (tti_agree_has(s->dead, rank)) return;
    tti_agree_put(s->dead, rank);
    const int parent = tti_agree_parent(s);
    for (uint64_t number = s->number > 0 ? s->number - 1 : 0; number <= s->number; number++) {
        tti_agree_round *r = round_of(s, number);
        if (number == 0) continue;
        if (!r->decided)
            advance(s, r);
        else if (parent != before && parent >= 0)
            send(s, parent, TTI_AGREE_DOWN, r);
    }
}

const tti_agree_value *tti_agree_decision(const tti_agree_state *s, uint64_t number)
{
    const tti_agree_round *r = &s->rounds[number % TTI_AGREE_ROUNDS];
    return number > 0 && r->number == number && r->decided ? &r->value : NULL;
}

void tti_agree_refuse(tti_agree_state *s)
{
    tti_agree_round *r = round_of(s, s->number + 1);
    memset(r->value.failed, 0, tti_agree_words(s->size) * sizeof *r->value.failed);
    r->value.kind = TTI_AGREE_FREED;
    for (int to = 0; to < s->size; to++) {
        if (tti_agree_has(s->dead, to)) continue;
        if (tti_agree_has(r->heard, to))
            send(s, to, TTI_AGREE_DOWN, r);
        else if (tti_agree_has(r->askers, to))
            send(s, to, TTI_AGREE_UP, r);
    }
}

/* Nobody needs the one before once the last is decided. */
void tti_agree_leave(tti_agree_state *s)
{
    const uint64_t last =
        tti_agree_decision(s, s->number) != NULL || s->number == 0 ? s->number : s->number - 1;
    if (tti_agree_decision(s, last) == NULL) return;
    for (int to = 0; to < s->size; to++)
        if (to != s->rank && !tti_agree_has(s->dead, to)) send(s, to, TTI_AGREE_DOWN, round_of(s, last));
}

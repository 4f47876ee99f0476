/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/proof/proved.h"

#include <stdlib.h>

#include "collectives/proof/checker.h"
#include "tests/proof/random.h"
#include "tests/proof/tables.h"
#include "tests/unit/expect.h"

static uint64_t with(uint64_t digest, uint64_t word)
{
    return (digest ^ word) * 0x9e3779b97f4a7c15U + (digest >> 32);
}

static uint64_t with_ints(uint64_t digest, const int *of, int count)
{
    for (int i = 0; i < count; i++)
        digest = with(digest, (uint64_t)(uint32_t)of[i]);
    return digest;
}

/* Its words apart, which the processor multiplies side by side. */
static uint64_t of_step(const tti_step *step)
{
    const uint64_t what = (uint64_t)step->kind | (uint64_t)step->from_space << 8 |
                          (uint64_t)step->to_space << 16 | (uint64_t)(uint32_t)step->tag << 24;
    const uint64_t who = (uint64_t)(uint32_t)step->peer | (uint64_t)(uint32_t)step->about << 32;
    return what * 0xbf58476d1ce4e5b9U + who * 0x94d049bb133111ebU + step->from * 0xd6e8feb86659fd93U +
           step->need * 0x2545f4914f6cdd1dU + step->to * 0xa0761d6478bd642fU +
           step->bytes * 0xe7037ed1a0b428dbU;
}

static uint64_t with_schedule(uint64_t digest, const tti_schedule *schedule)
{
    digest = with(with(with(digest, (uint64_t)schedule->count), schedule->scratch), schedule->window);
    for (int i = 0; i < TTI_SHOWN; i++) {
        const tti_shown *shown = &schedule->shown[i];
        digest = with(with(with(digest, shown->space), shown->at), shown->bytes);
    }
    for (int i = 0; i < schedule->need_count; i++) {
        const tti_need *need = &schedule->needs[i];
        digest = with(with(with(digest, need->before), (uint64_t)need->count), need->most);
        digest = with(with(with(digest, need->over), need->head), need->slots);
    }
    for (int i = 0; i < schedule->count; i++)
        digest = with(digest, of_step(&schedule->steps[i]));
    digest = with_ints(digest, schedule->next_start, schedule->count + 1);
    digest = with_ints(digest, schedule->next, schedule->next_start[schedule->count]);
    return schedule->last != NULL ? with_schedule(digest, schedule->last) : digest;
}

static uint64_t with_contents(uint64_t digest, tti_contents_fn *contents, const tti_shape *shape)
{
    tti_content one = {.bytes = 0};
    for (int i = 0; i < contents(shape, i, &one); i++) {
        const uint64_t ranks = (uint64_t)one.first << 32 | (uint64_t)one.last;
        digest = with(with(with(digest, one.place.space), one.place.offset), one.bytes);
        digest = with(with(digest, one.from), ranks);
    }
    return with(digest, 0);
}

/* What all ranks have before, and are to have after; and who shares memory. */
static uint64_t goal_of(const tti_contract *contract, const tti_shape *shape)
{
    const bool flags[] = {shape->commutes, shape->in_place, shape->window > 0, contract->meets,
                          contract->neighbours};
    uint64_t digest = with(with((uint64_t)shape->size, shape->element), shape->front);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        digest = with(digest, flags[i]);
    if (shape->nodes != NULL) digest = with_ints(digest, shape->nodes->node_of, shape->size);
    for (int r = 0; r < shape->size; r++) {
        const tti_shape own = tti_checker_shape(contract->number, shape, r);
        digest = with_contents(with_contents(digest, contract->before, &own), contract->after, &own);
    }
    return digest;
}

static uint64_t *place_of(const proved *set, uint64_t digest)
{
    size_t at = digest & (set->room - 1);
    while (set->at[at] != 0 && set->at[at] != digest)
        at = (at + 1) & (set->room - 1);
    return &set->at[at];
}

static void grow(proved *set)
{
    const proved old = *set;
    set->room = old.room > 0 ? old.room * 2 : 1024;
    set->at = calloc(set->room, sizeof *set->at);
    EXPECT(set->at != NULL);
    for (size_t i = 0; i < old.room; i++)
        if (old.at[i] != 0) *place_of(set, old.at[i]) = old.at[i];
    free(old.at);
}

/* What was proved of a larger WINDOW. */
static bool has_room(const tti_shape *shape, tti_schedule *const *schedules)
{
    int r = 0;
    while (r < shape->size && schedules[r]->window <= shape->window)
        r++;
    return r == shape->size;
}

bool proved_before(proved *set, const tti_contract *contract, const tti_shape *shape,
                   tti_schedule *const *schedules)
{
    uint64_t digest = goal_of(contract, shape);
    for (int r = 0; r < shape->size; r++)
        digest = with_schedule(digest, schedules[r]);
    digest = random_mixed(digest);
    if (digest == 0) digest = 1; /* which no place holds that is free */
    if (set->count * 2 >= set->room) grow(set);
    uint64_t *place = place_of(set, digest);
    const bool seen = *place == digest;
    *place = digest;
    set->count += !seen;
    return seen && has_room(shape, schedules);
}

void proved_forget(proved *set)
{
    free(set->at);
    *set = (proved){0};
}

static bool same_algorithms(const tti_contract *a, const tti_contract *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = a->algorithms[i].build == b->algorithms[i].build &&
               a->algorithms[i].wants == b->algorithms[i].wants;
    return same;
}

/* For calls of these many ranks: goals are formulas. */
#define SIZES 9

static bool same_goals(const tti_contract *a, const tti_contract *b)
{
    bool same = a->counted == b->counted && a->sends == b->sends && a->keeps == b->keeps &&
                a->reduces == b->reduces && a->rooted == b->rooted && a->neighbours == b->neighbours &&
                a->sent == b->sent && a->received == b->received;
    for (int call = 0; same && call < 2 * SIZES; call++) {
        tti_shape shape = {.size = call / 2 + 1, .count = 7, .element = 1, .in_place = call % 2 != 0};
        tables_give(a, &shape);
        same = goal_of(a, &shape) == goal_of(b, &shape);
        tables_free(&shape);
    }
    return same;
}

const tti_contract *proved_as(const tti_contract *contract)
{
    for (int c = 0; c < (int)contract->number; c++) {
        const tti_contract *other = tti_collective_describe((enum tti_collective)c);
        if (same_algorithms(contract, other) && same_goals(contract, other)) return other;
    }
    return NULL;
}

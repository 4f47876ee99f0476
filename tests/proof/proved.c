/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/proof/proved.h"

#include <stdlib.h>

#include "tests/proof/tables.h"
#include "tests/unit/expect.h"

/* In a place of the set that is free. */
static const digest none;

static digest *place_of(const proved *set, digest d)
{
    size_t at = d.high & (set->room - 1);
    while (!digests_equal(set->at[at], none) && !digests_equal(set->at[at], d))
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
        if (!digests_equal(old.at[i], none)) *place_of(set, old.at[i]) = old.at[i];
    free(old.at);
}

/* Whether it was there. */
static bool add(proved *set, digest d)
{
    if (set->count * 2 >= set->room) grow(set);
    digest *place = place_of(set, d);
    const bool seen = digests_equal(*place, d);
    *place = d;
    set->count += !seen;
    return seen;
}

/* What was proved of a larger WINDOW. */
static bool has_room(const tti_shape *shape, tti_schedule *const *schedules)
{
    int r = 0;
    while (r < shape->size && schedules[r]->window <= shape->window)
        r++;
    return r == shape->size;
}

/* In rank order is one of the orders in which an operation that commutes may combine. */
static void add_commuting(proved *set, const tti_contract *contract, const tti_shape *shape,
                          tti_schedule *const *schedules)
{
    tti_shape commuting = *shape;
    commuting.commutes = true;
    add(set, digest_of(contract, &commuting, schedules));
}

bool proved_before(proved *set, const tti_contract *contract, const tti_shape *shape,
                   tti_schedule *const *schedules)
{
    const bool seen = add(set, digest_of(contract, shape, schedules));
    if (!seen && contract->reduces && !shape->commutes) add_commuting(set, contract, shape, schedules);
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
        same = digests_equal(digest_goal(a, &shape), digest_goal(b, &shape));
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Two calls that need two proofs have two digests: it changes with each field of a schedule and of a shape
 * that the proof looks at, one at a time. (That it changes with each mutant that is no proof, trial.c says.)
 * And that of a rooted call stays as it is where only the numbers of ranks are others. */
#include <stddef.h>
#include <string.h>

#include "collectives/proof/checker.h"
#include "tests/proof/digest.h"
#include "tests/proof/layouts.h"
#include "tests/proof/tables.h"
#include "tests/unit/expect.h"

#define RANKS 6

typedef struct {
    const tti_contract *contract;
    tti_shape shape;
    tti_schedule *schedules[RANKS];
    digest digest;
    int changes;
} call;

static digest digest_now(const call *c)
{
    return digest_of(c->contract, &c->shape, c->schedules);
}

static call open_call(enum tti_collective collective, const char *name, tti_shape shape)
{
    call c = {.contract = tti_collective_describe(collective), .shape = shape};
    const tti_algorithm *algorithm = tti_algorithm_find(collective, name, strlen(name));
    EXPECT(algorithm != NULL);
    c.shape.size = RANKS;
    c.shape.element = c.contract->reduces ? 12 : 1;
    c.shape.radix = 2;
    c.shape.chunk = 100;
    tables_give(c.contract, &c.shape);
    for (int r = 0; r < RANKS; r++) {
        const tti_shape own = tti_checker_shape(collective, &c.shape, r);
        EXPECT(tti_algorithm_build(algorithm, &own, &c.schedules[r]) == 0);
    }
    c.digest = digest_now(&c);
    return c;
}

static void close_call(call *c)
{
    for (int r = 0; r < RANKS; r++)
        tti_schedule_free(c->schedules[r]);
    tables_free(&c->shape);
    EXPECT(c->changes > 0);
}

/* Another value of a field makes another digest, and the old value again the old one. */
static void change(call *c, void *field, size_t bytes)
{
    unsigned char *low = field, old[sizeof(size_t)];
    EXPECT(bytes <= sizeof old);
    memcpy(old, field, bytes);
    *low ^= 1;
    EXPECT(!digests_equal(digest_now(c), c->digest));
    memcpy(field, old, bytes);
    EXPECT(digests_equal(digest_now(c), c->digest));
    c->changes++;
}
#define CHANGE(c, field) change(c, &(field), sizeof(field))

static void change_step(call *c, tti_schedule *schedule, int i)
{
    tti_step *step = &schedule->steps[i];
    CHANGE(c, step->kind);
    CHANGE(c, step->from_space);
    CHANGE(c, step->to_space);
    CHANGE(c, step->need);
    CHANGE(c, step->tag);
    CHANGE(c, step->peer);
    CHANGE(c, step->from);
    CHANGE(c, step->to);
    CHANGE(c, step->bytes);
    CHANGE(c, schedule->waits[i]);
    for (int n = schedule->next_start[i]; n < schedule->next_start[i + 1]; n++)
        CHANGE(c, schedule->next[n]);
}

static void change_need(call *c, tti_need *need)
{
    CHANGE(c, need->before);
    CHANGE(c, need->count);
    CHANGE(c, need->most);
    CHANGE(c, need->over);
    CHANGE(c, need->head);
    CHANGE(c, need->slots);
}

static void change_schedule(call *c, tti_schedule *schedule)
{
    CHANGE(c, schedule->scratch);
    CHANGE(c, schedule->window);
    CHANGE(c, schedule->posts);
    CHANGE(c, schedule->messages);
    CHANGE(c, schedule->element);
    for (int s = 0; s < TTI_SHOWN; s++) {
        CHANGE(c, schedule->shown[s].space);
        CHANGE(c, schedule->shown[s].at);
        CHANGE(c, schedule->shown[s].bytes);
    }
    for (int i = 0; i < schedule->need_count; i++)
        change_need(c, &schedule->needs[i]);
    for (int i = 0; i < schedule->count; i++)
        change_step(c, schedule, i);
}

static void change_all(call *c)
{
    for (int r = 0; r < RANKS; r++) {
        change_schedule(c, c->schedules[r]);
        if (c->schedules[r]->last != NULL) change_schedule(c, c->schedules[r]->last);
    }
    CHANGE(c, c->shape.front);
    CHANGE(c, c->shape.commutes);
}

static bool same_as(const call *c, tti_shape shape)
{
    return digests_equal(digest_of(c->contract, &shape, c->schedules), c->digest);
}

/* Messages alone; meetings, numbers and needs; the last to come; buffers that are shown. */
static void try_fields(void)
{
    tti_node_map *pairs = layout_make(LAYOUT_PAIRS, RANKS);
    call chain = open_call(TTI_ALLREDUCE, "ring_chunks", (tti_shape){.count = 50}),
         joined =
             open_call(TTI_ALLTOALLV, "by_node", (tti_shape){.count = 9, .window = 4096, .nodes = pairs}),
         counted = open_call(TTI_ALLREDUCE, "counted", (tti_shape){.count = 5, .window = 4096}),
         shown = open_call(TTI_BCAST, "shown", (tti_shape){.count = 50, .window = 4096});
    EXPECT(joined.schedules[0]->need_count > 0 && counted.schedules[0]->last != NULL);
    EXPECT(tti_schedule_shows(shown.schedules[0]));
    change_all(&chain);
    change_all(&joined);
    change_all(&counted);
    change_all(&shown);
    close_call(&chain);
    close_call(&joined);
    close_call(&counted);
    close_call(&shown);
    tti_node_map_free(pairs);
}

/* Of the goal: in place, other parts, elements; whether memory is shared, and by whom. */
static void try_goals(void)
{
    call c = open_call(TTI_ALLREDUCE, "window", (tti_shape){.count = 5, .window = 4096});
    tti_node_map *pairs = layout_make(LAYOUT_PAIRS, RANKS), *dealt = layout_make(LAYOUT_DEALT, RANKS);
    tti_shape other = c.shape;
    EXPECT(same_as(&c, other));
    other.in_place = true;
    EXPECT(!same_as(&c, other));
    other = c.shape;
    other.count++;
    EXPECT(!same_as(&c, other));
    other = c.shape;
    other.element = 6;
    other.count *= 2;
    EXPECT(!same_as(&c, other));
    other = c.shape;
    other.window = 0;
    EXPECT(!same_as(&c, other));
    other.nodes = pairs;
    const digest apart = digest_of(c.contract, &other, c.schedules);
    other.window = 4096;
    EXPECT(!same_as(&c, other));
    c.digest = digest_of(c.contract, &other, c.schedules);
    other.nodes = dealt;
    EXPECT(!same_as(&c, other));
    other.window = 0;
    EXPECT(digests_equal(digest_of(c.contract, &other, c.schedules), apart));
    c.changes++;
    tti_node_map_free(pairs);
    tti_node_map_free(dealt);
    close_call(&c);
}

/* Ranks turned by their root have the digest of root 0 where ranks are told apart by nothing else. */
static bool turns(enum tti_collective collective, const char *name, bool commutes)
{
    const tti_shape shape = {.count = 50, .commutes = commutes};
    call first = open_call(collective, name, shape);
    bool same = true;
    for (int root = 1; root < RANKS; root++) {
        tti_shape turned = shape;
        turned.root = root;
        call c = open_call(collective, name, turned);
        same = same && digests_equal(c.digest, first.digest);
        c.changes++;
        close_call(&c);
    }
    first.changes++;
    close_call(&first);
    return same;
}

int main(void)
{
    try_fields();
    try_goals();
    EXPECT(turns(TTI_BCAST, "chain", false) && turns(TTI_BCAST, "knomial", false));
    EXPECT(turns(TTI_REDUCE, "chain", true) && !turns(TTI_REDUCE, "chain", false));
    EXPECT(!turns(TTI_GATHER, "knomial", false));
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/proof/digest.h"

#include "collectives/proof/checker.h"
#include "tests/unit/expect.h"

#define RANKS_MOST 4096

/* Under which names ranks are taken in. */
typedef struct {
    int size;
    int name[RANKS_MOST + 1]; /* of each rank, and of the last to come, whose name is its number */
    int rank[RANKS_MOST];     /* of each name */
} naming;

static digest with(digest d, uint64_t word)
{
    const uint64_t turned = d.high << 23 | d.high >> 41;
    return (digest){(d.low ^ word) * 0x9e3779b97f4a7c15U + (d.low >> 32),
                    (turned ^ word) * 0xd6e8feb86659fd93U + (turned >> 29)};
}

/* Several words at once, which the processor multiplies side by side. */
#define WORDS 6
static digest with_words(digest d, const uint64_t words[WORDS])
{
    /* Drawn by lot, and odd. */
    static const uint64_t one[WORDS] = {0xe8ca0d96b1daa6dbU, 0x3f77be4be42d1eabU, 0xb347d1731254711bU,
                                        0x0cf1113a0f68a1b7U, 0xa919ec2ec0c2fc2fU, 0x66a2a1abbc883b1fU},
                          other[WORDS] = {0xe49cdd892ba6fb35U, 0xdf2ee1e38d352701U, 0x6ca347172fb9888bU,
                                          0x3a93adc08faa22a9U, 0x2a85ac31882e2a59U, 0x8b21c3c309c48e0dU};
    uint64_t low = 0, high = 0;
    for (int i = 0; i < WORDS; i++) {
        low += words[i] * one[i];
        high += words[i] * other[i];
    }
    const digest apart = {d.low ^ low, d.high ^ high};
    return with(apart, 0);
}

/* Of a peer that is no rank it is what stands there (TTI_OWN, TTI_ALL). */
static uint32_t name_of(const naming *names, int peer)
{
    return (uint32_t)(peer >= 0 && peer <= names->size ? names->name[peer] : peer);
}

static uint64_t pair(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

/* With how many it waits for, and how many wait for it and those before it. Whom a COMPARE is about is not
 * proved: it is told when the comparison fails. */
static digest with_step(digest d, const tti_schedule *schedule, int i, const naming *names)
{
    const tti_step *step = &schedule->steps[i];
    const uint32_t kind =
        (uint32_t)step->kind | (uint32_t)step->from_space << 8 | (uint32_t)step->to_space << 16;
    const uint64_t words[WORDS] = {pair(kind, (uint32_t)step->tag),
                                   pair(name_of(names, step->peer), step->need),
                                   step->from,
                                   step->to,
                                   step->bytes,
                                   pair((uint32_t)schedule->waits[i], (uint32_t)schedule->next_start[i + 1])};
    return with_words(d, words);
}

static digest with_needs(digest d, const tti_schedule *schedule)
{
    d = with(d, (uint64_t)schedule->need_count);
    for (int i = 0; i < schedule->need_count; i++) {
        const tti_need *need = &schedule->needs[i];
        d = with(with(with(d, need->before), (uint64_t)need->count), need->most);
        d = with(with(with(d, need->over), need->head), need->slots);
    }
    return d;
}

static digest with_schedule(digest d, const tti_schedule *schedule, const naming *names)
{
    d = with(with(with(d, (uint64_t)schedule->count), schedule->scratch), schedule->window);
    d = with(with(d, (uint64_t)schedule->posts), schedule->last != NULL);
    d = with(with(d, (uint64_t)schedule->messages), schedule->element);
    for (int i = 0; i < TTI_SHOWN; i++) {
        const tti_shown *shown = &schedule->shown[i];
        d = with(with(with(d, shown->space | (uint64_t)shown->written << 8 | (uint64_t)shown->told << 9),
                      shown->at),
                 shown->bytes);
    }
    d = with_needs(d, schedule);
    for (int i = 0; i < schedule->count; i++)
        d = with_step(d, schedule, i, names);
    for (int i = 0; i < schedule->next_start[schedule->count]; i++)
        d = with(d, (uint32_t)schedule->next[i]);
    return schedule->last != NULL ? with_schedule(d, schedule->last, names) : d;
}

/* Contributions are one rank's, or else are all ranks' where names are not numbers (has_names()). */
static digest with_contents(digest d, tti_contents_fn *contents, const tti_shape *shape, const naming *names)
{
    tti_content one = {.bytes = 0};
    for (int i = 0; i < contents(shape, i, &one); i++) {
        const bool single = one.first == one.last;
        const uint32_t first = single ? name_of(names, one.first) : (uint32_t)one.first;
        const uint64_t words[WORDS] = {pair(first, single ? first : (uint32_t)one.last),
                                       one.place.space,
                                       one.place.offset,
                                       one.bytes,
                                       one.from,
                                       1};
        d = with_words(d, words);
    }
    return with(d, UINT64_MAX);
}

static digest with_rank(digest d, const tti_contract *contract, const tti_shape *shape, const naming *names)
{
    d = with(with(d, tti_contract_input(contract, shape)), tti_contract_output(contract, shape));
    return with_contents(with_contents(d, contract->before, shape, names), contract->after, shape, names);
}

/* Which ranks share memory: nodes are numbered as they come. */
static digest with_sharers(digest d, const tti_shape *shape, const naming *names)
{
    int number[RANKS_MOST], nodes = 0;
    d = with(with(d, shape->window > 0), shape->window > 0 && shape->nodes != NULL);
    if (shape->window == 0 || shape->nodes == NULL) return d;
    for (int n = 0; n < shape->nodes->nodes; n++)
        number[n] = -1;
    for (int n = 0; n < shape->size; n++) {
        int *node = &number[shape->nodes->node_of[names->rank[n]]];
        if (*node < 0) *node = nodes++;
        d = with(d, (uint64_t)*node);
    }
    return d;
}

static digest goal_under(const tti_contract *contract, const tti_shape *shape, const naming *names)
{
    const bool flags[] = {shape->commutes, contract->meets, contract->received != TTI_NO_TABLE,
                          contract->neighbours};
    digest d = with(with(with((digest){1, 1}, (uint64_t)shape->size), shape->element), shape->front);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        d = with(d, flags[i]);
    d = with_sharers(d, shape, names);
    for (int n = 0; n < shape->size; n++) {
        const tti_shape own = tti_checker_shape(contract->number, shape, names->rank[n]);
        d = with_rank(d, contract, &own, names);
    }
    return d;
}

/* Whether only who is the root tells ranks apart: nothing is combined, or all ranks' at the root alone and in
 * any order. */
static bool has_names(const tti_contract *contract, const tti_shape *shape)
{
    return contract->rooted && (!contract->reduces || shape->commutes);
}

static void name_as_numbered(naming *names, int size)
{
    names->size = size;
    names->name[size] = size;
    for (int r = 0; r < size; r++)
        names->name[r] = names->rank[r] = r;
}

static int name_next(naming *names, int rank, int named)
{
    if (rank < 0 || rank >= names->size || names->name[rank] >= 0) return named;
    names->name[rank] = named;
    names->rank[named] = rank;
    return named + 1;
}

/* The root is the first, then those with whom it has to do, as its steps name them, then theirs. */
static void name_from_root(naming *names, const tti_shape *shape, tti_schedule *const *schedules)
{
    names->size = shape->size;
    names->name[shape->size] = shape->size;
    for (int r = 0; r < shape->size; r++)
        names->name[r] = -1;
    int named = name_next(names, shape->root, 0), lowest = 0;
    for (int n = 0; named < shape->size; n++) {
        while (n == named)
            named = name_next(names, lowest++, named);
        const tti_schedule *schedule = schedules[names->rank[n]];
        for (int i = 0; i < schedule->count; i++)
            named = name_next(names, schedule->steps[i].peer, named);
    }
}

digest digest_goal(const tti_contract *contract, const tti_shape *shape)
{
    naming names;
    name_as_numbered(&names, shape->size);
    return goal_under(contract, shape, &names);
}

digest digest_of(const tti_contract *contract, const tti_shape *shape, tti_schedule *const *schedules)
{
    naming names;
    EXPECT(shape->size <= RANKS_MOST);
    if (has_names(contract, shape))
        name_from_root(&names, shape, schedules);
    else
        name_as_numbered(&names, shape->size);
    digest d = goal_under(contract, shape, &names);
    for (int n = 0; n < shape->size; n++)
        d = with_schedule(d, schedules[names.rank[n]], &names);
    return d;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive multiplying: in each level groups of f ranks exchange everything they have; before level i a rank
 * stands for f0·…·f(i-1) ranks in a row, so the operation need not commute. Factors are at most the radix.
 *
 *   6 ranks, radix 3         level 0 (factor 3)       level 1 (factor 2)
 *   0 1 2 3 4 5              {0 1 2} {3 4 5}          {0 3} {1 4} {2 5}
 *
 *   7 ranks, radix 2: 1→0, 3→2, 5→4 fold; {0 2} {4 6}; {0 4} {2 6}; 0→1, 2→3, 4→5 unfold
 *
 * Radix 2 is recursive doubling (R. Thakur et al. 2005); general: M. Ruefenacht, M. Bull, S. Booth,
 * "Generalisation of recursive doubling for AllReduce", 2017. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/buffers.h"
#include "collectives/compose/combine_parts.h"
#include "collectives/compose/fold.h"
#include "collectives/patterns/multiply.h"

/* The fold of a rank above counts as a first hop with two members of which only this one goes on. */
typedef struct {
    tti_multiply_group group;
    bool fold;
    int tag;
    enum tti_space result; /* OUTPUT, or SCRATCH at call.aside */
} hop;

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_multiply plan;
    size_t bytes;
    tti_place aside;     /* where intermediate results are, by turns with OUTPUT */
    tti_buffers buffers; /* two sets, used by turns, so that receives are posted early */
    int set;             /* how many are one: greatest factor - 1 */
    hop hops[TTI_MULTIPLY_LEVELS + 1];
    int hop_count;
} call;

static void list_hops(call *c)
{
    const int place = tti_multiply_place(&c->plan, c->shape->rank);
    if (tti_multiply_has_folded(&c->plan, c->shape->rank))
        c->hops[c->hop_count++] = (hop){.group = {.factor = 2}, .fold = true, .tag = TTI_TAG_FOLD};
    for (int level = 0; level < c->plan.levels; level++)
        c->hops[c->hop_count++] = (hop){.group = tti_multiply_level(&c->plan, place, level), .tag = level};
    for (int h = 0; h < c->hop_count; h++)
        if (c->hops[h].group.factor - 1 > c->set) c->set = c->hops[h].group.factor - 1;
}

static bool is_last(const hop *h)
{
    return h->group.mine == h->group.factor - 1;
}

/* A hop's result is where its last part was: with the last member's own part it stays where it is, else it
 * moves to the other buffer. Chosen backwards, so that the last hop's result is in OUTPUT. */
static void choose_results(call *c)
{
    enum tti_space want = TTI_OUTPUT;
    for (int h = c->hop_count - 1; h >= 0; h--) {
        c->hops[h].result = want;
        if (!is_last(&c->hops[h])) want = want == TTI_OUTPUT ? TTI_SCRATCH : TTI_OUTPUT;
    }
}

static tti_place result_of(const call *c, const hop *h)
{
    return h->result == TTI_OUTPUT ? tti_place_at(TTI_OUTPUT, 0) : c->aside;
}

static int member(const call *c, const hop *h, int i)
{
    return h->fold ? c->shape->rank + 1 : tti_multiply_member(&c->plan, &h->group, i);
}

/* The first hop finds the contribution where the caller put it, which may be where it must not be. */
static tti_place bring_in(const call *c)
{
    const tti_place own = tti_shape_own(c->shape), output = tti_place_at(TTI_OUTPUT, 0);
    tti_place start = own;
    if (c->hop_count == 0) {
        start = output;
    } else {
        const hop *first = &c->hops[0];
        if (!is_last(first) && own.space == first->result) start = c->aside;
    }
    tti_build_copy(c->builder, own, start, c->bytes);
    return start;
}

/* Exchanges `own` with the members of hop h and combines all parts; returns where the result is. */
static tti_place exchange(const call *c, int h, tti_place own)
{
    const hop *now = &c->hops[h];
    const int last = now->group.factor - 1, mine = now->group.mine;
    const tti_place result = result_of(c, now);
    tti_place parts[TTI_RADIX_MAX];
    for (int i = 0; i <= last; i++) {
        parts[i] = i == last ? result : tti_buffers_at(&c->buffers, c->set * (h % 2) + i);
        if (i == mine) continue;
        if (!now->fold) tti_build_send(c->builder, own, c->bytes, member(c, now, i), now->tag);
        tti_build_recv(c->builder, parts[i], c->bytes, member(c, now, i), now->tag);
    }
    if (mine == last)
        tti_build_copy(c->builder, own, result, c->bytes);
    else
        parts[mine] = own;
    tti_combine_parts(c->builder, parts, last + 1, c->bytes);
    return result;
}

void tti_allreduce_recmul(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .bytes = tti_shape_bytes(shape)};
    tti_multiply_plan(shape->size, shape->radix, &c.plan);
    if (tti_multiply_place(&c.plan, shape->rank) < 0) {
        tti_fold_out(shape, builder);
        return;
    }
    list_hops(&c);
    choose_results(&c);
    c.aside = tti_build_scratch(builder, c.bytes);
    c.buffers = tti_buffers_open(builder, c.bytes, 2 * c.set);
    tti_place sum = bring_in(&c);
    for (int h = 0; h < c.hop_count; h++)
        sum = exchange(&c, h, sum);
    if (tti_multiply_has_folded(&c.plan, shape->rank))
        tti_build_send(builder, sum, c.bytes, shape->rank + 1, TTI_TAG_UNFOLD);
}

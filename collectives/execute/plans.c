/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/plans.h"

#include <stdlib.h>

#include "runtime/base/digest.h"

/* Plans of many ranks are large. More than FEW_PLANS are kept only while they take no more than MOST_BYTES
 * together; up to FEW_PLANS while they take no more than MOST_BYTES_OF_FEW; the newest one always. */
#define MOST_BYTES ((size_t)16 << 20)
#define FEW_PLANS 16
#define MOST_BYTES_OF_FEW ((size_t)64 << 20)

void tti_plans_open(tti_plans *plans)
{
    *plans = (tti_plans){0};
}

static uint64_t with_table(uint64_t hash, const tti_table *table, int size)
{
    return table->counts == NULL ? hash : tti_digest_with(hash, tti_table_hash(table, size));
}

/* Of what tti_plan_fits() compares. */
static uint64_t hash_of(enum tti_collective collective, const tti_shape *shape)
{
    const uint64_t rest = (uint64_t)shape->root << 2 | (uint64_t)shape->commutes << 1 | shape->in_place;
    uint64_t hash = tti_digest_with((uint64_t)collective, shape->count);
    hash = tti_digest_with(hash, shape->element);
    hash = tti_digest_with(hash, rest);
    if (!shape->parted) return hash;
    hash = tti_digest_with(hash, shape->own);
    hash = with_table(hash, &shape->send, tti_shape_parts_sent(shape));
    return with_table(hash, &shape->recv, tti_shape_parts_received(shape));
}

static tti_kept_plan *set_of(const tti_plans *plans, uint64_t shape)
{
    return &plans->kept[shape % TTI_PLANS_SETS * TTI_PLANS_OF_SET];
}

static void drop(tti_plans *plans, tti_kept_plan *kept)
{
    tti_plan *plan = kept->plan;
    if (plan == NULL) return;
    plans->count--;
    plans->bytes -= kept->bytes;
    *kept = (tti_kept_plan){0};
    if (plans->last == plan) plans->last = NULL;
    tti_plan_release(plan);
}

void tti_plans_drop(tti_plans *plans)
{
    for (int i = 0; plans->kept != NULL && i < TTI_PLANS_MOST; i++)
        drop(plans, &plans->kept[i]);
    free(plans->kept);
    tti_plans_open(plans);
}

/* Of `count` places; an empty one before any other. */
static tti_kept_plan *least_recently_used(tti_kept_plan *kept, int count)
{
    tti_kept_plan *found = kept;
    for (int i = 1; i < count; i++)
        if (kept[i].used < found->used) found = &kept[i];
    return found;
}

static bool too_large(const tti_plans *plans)
{
    if (plans->count > FEW_PLANS) return plans->bytes > MOST_BYTES;
    return plans->count > 1 && plans->bytes > MOST_BYTES_OF_FEW;
}

/* That is not empty. */
static void drop_one(tti_plans *plans)
{
    tti_kept_plan *found = NULL;
    for (int i = 0; i < TTI_PLANS_MOST; i++) {
        tti_kept_plan *one = &plans->kept[i];
        if (one->plan != NULL && (found == NULL || one->used < found->used)) found = one;
    }
    drop(plans, found);
}

void tti_plans_keep(tti_plans *plans, tti_plan *plan)
{
    if (plans->kept == NULL) plans->kept = calloc(TTI_PLANS_MOST, sizeof *plans->kept);
    if (plans->kept == NULL) {
        tti_plan_release(plan);
        return;
    }
    const uint64_t shape = hash_of(plan->collective, &plan->shape);
    tti_kept_plan *place = least_recently_used(set_of(plans, shape), TTI_PLANS_OF_SET);
    drop(plans, place);
    *place = (tti_kept_plan){shape, ++plans->uses, tti_plan_bytes(plan), plan};
    plans->count++;
    plans->bytes += place->bytes;
    plans->last = plan;
    while (too_large(plans))
        drop_one(plans);
}

/* The one that was used last before that; NULL: none was. */
static tti_kept_plan *used_before(const tti_plans *plans, uint64_t used)
{
    tti_kept_plan *found = NULL;
    for (int i = 0; plans->kept != NULL && i < TTI_PLANS_MOST; i++) {
        tti_kept_plan *one = &plans->kept[i];
        if (one->plan == NULL || one->used >= used) continue;
        if (found == NULL || one->used > found->used) found = one;
    }
    return found;
}

void tti_plans_trim(tti_plans *plans, size_t most)
{
    size_t all = 0;
    for (tti_kept_plan *at = used_before(plans, UINT64_MAX); at != NULL; at = used_before(plans, at->used)) {
        if (at->plan->spare != NULL) all += tti_plan_scratch(at->plan);
        if (all > most) tti_plan_free_spare(at->plan);
    }
}

tti_plan *tti_plans_find(tti_plans *plans, enum tti_collective collective, const tti_shape *shape)
{
    if (plans->kept == NULL) return NULL;
    const uint64_t hash = hash_of(collective, shape);
    tti_kept_plan *set = set_of(plans, hash);
    for (int i = 0; i < TTI_PLANS_OF_SET; i++) {
        if (set[i].shape != hash || set[i].plan == NULL) continue;
        if (!tti_plan_fits(set[i].plan, collective, shape)) continue;
        set[i].used = ++plans->uses;
        return plans->last = set[i].plan;
    }
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/proof/trial.h"

#include "tests/proof/layouts.h"
#include "tests/proof/machine.h"
#include "tests/proof/node_windows.h"
#include "tests/proof/tables.h"

/* Executions of what is not changed. */
#define RUNS 3

bool trial_take_shape(trial *t, int index, int variant)
{
    static const struct {
        int size, radix;
        size_t count;
    } shapes[TRIAL_SHAPES] = {{2, 2, 3}, {3, 3, 7}, {4, 2, 9}, {8, 2, 16}, {9, 3, 11}, {16, 4, 33}};
    /* Several blocks through regions that are used again, and one. */
    static const size_t windows[] = {256, 4096};
    const size_t elements = 22, element = 12;
    const tti_contract *contract = tti_collective_describe(t->collective);
    const unsigned wants = t->algorithm->wants;
    const bool needs = (wants & TTI_NEEDS_WINDOW) != 0, other = (variant & 4) != 0;
    const bool shares = needs || ((wants & TTI_TAKES_WINDOW) != 0 && other);
    t->shape = (tti_shape){.size = shapes[index].size,
                           .root = contract->rooted ? shapes[index].size - 1 : 0,
                           .count = contract->counted ? shapes[index].count : 0,
                           .element = contract->reduces ? element : 1,
                           .commutes = (variant & 1) != 0,
                           .in_place = (variant & 2) != 0,
                           .radix = shapes[index].radix,
                           .chunk = 4,
                           .window = shares ? windows[needs ? other : index % 2] : 0,
                           .beside = shares && index % 3 == 0 ? 48 : 0};
    t->uneven = shares && !needs && index % 2 != 0;
    /* So much for each rank, where it is divided among them; for each part, where parts are. */
    if ((wants & TTI_SHARES_WINDOW) != 0) t->shape.window *= (size_t)(t->shape.size + 1) / 2;
    if ((wants & TTI_TAKES_LEADERS) != 0) t->shape.window *= (size_t)t->shape.size;
    if (needs && contract->rooted && !tti_contract_sized(contract) && index % 2 != 0)
        t->shape.front = (uint16_t)(t->shape.window / 2);
    /* Of parts some pass through it, and some as messages. */
    if (needs) t->shape.chunk = 300;
    if (shares && contract->counted) t->shape.count = elements * element / t->shape.element;
    if ((wants & TTI_NEEDS_EVEN) != 0 && t->shape.size % 2 != 0) return false;
    if (!contract->sends && (variant & 3) > 0) return false;
    if (contract->neighbours && t->shape.in_place) return false;
    if (!contract->reduces && t->shape.commutes) return false; /* the same call again */
    if (other && (!shares || (needs && (variant & 3) != 0))) return false;
    return t->shape.commutes || (wants & TTI_NEEDS_COMMUTING) == 0;
}

/* By the proof, and by a few executions. */
static void must_be_right(trial *t)
{
    const machine_job job = {t->collective, &t->shape, t->schedules};
    const bool proved = tti_checker_prove(t->checker, t->collective, &t->shape, t->schedules);
    if (proved && machine_right(&job, RUNS, (uint64_t)t->shape.size)) return;
    fprintf(stderr, "%s %s of %d ranks: %s\n", tti_collective_describe(t->collective)->name,
            t->algorithm->name, t->shape.size,
            proved ? "proved, but an execution ends wrong" : tti_checker_why(t->checker));
    exit(1);
}

void trial_begin(trial *t)
{
    const bool by_node = (t->algorithm->wants & (TTI_NEEDS_NODES | TTI_TAKES_WINDOW)) != 0;
    const enum layout layout = (enum layout)(t->shape.size % LAYOUTS);
    if (by_node) t->shape.nodes = layout_make(layout, t->shape.size);
    if ((t->algorithm->wants & TTI_NEEDS_GROUPS) != 0) t->shape.groups = layout_make(layout, t->shape.size);
    tables_give(tti_collective_describe(t->collective), &t->shape);
    for (int r = 0; r < t->shape.size; r++) {
        tti_shape own = tti_checker_shape(t->collective, &t->shape, r);
        if (t->uneven) node_windows_give(&own);
        EXPECT(tti_algorithm_build(t->algorithm, &own, &t->schedules[r]) == 0);
        if (t->uneven) node_windows_look_at(&own, t->schedules[r]);
    }
    t->digest = digest_of(tti_collective_describe(t->collective), &t->shape, t->schedules);
    must_be_right(t);
}

void trial_end(trial *t)
{
    for (int r = 0; r < t->shape.size; r++)
        tti_schedule_free(t->schedules[r]);
    tti_node_map_free((tti_node_map *)t->shape.nodes);
    tti_node_map_free((tti_node_map *)t->shape.groups);
    tables_free(&t->shape);
}

bool trial_change(const trial *t, draft *changed)
{
    const mutation_call call = {t->rank, &t->shape};
    *changed = draft_of(trial_schedule(t, t->rank));
    if (draft_mutate(changed, t->mutation, t->at, &call)) return true;
    draft_free(changed);
    return false;
}

/* The schedule that is changed gives way to this one, at all ranks that have it. */
static void put(trial *t, tti_schedule *schedule)
{
    if (t->rank < t->shape.size) t->schedules[t->rank] = schedule;
    for (int r = 0; r < t->shape.size && t->rank == t->shape.size; r++)
        t->schedules[r]->last = schedule;
}

/* That of each rank is its own copy. */
static void put_back(trial *t, tti_schedule *const *originals)
{
    if (t->rank < t->shape.size) t->schedules[t->rank] = originals[t->rank];
    for (int r = 0; r < t->shape.size && t->rank == t->shape.size; r++)
        t->schedules[r]->last = originals[r];
}

static void note(const trial *t, tti_schedule **originals)
{
    for (int r = 0; r < t->shape.size; r++)
        originals[r] = t->rank < t->shape.size ? t->schedules[r] : t->schedules[r]->last;
}

static bool has_digest(const trial *t)
{
    const tti_contract *contract = tti_collective_describe(t->collective);
    return digests_equal(digest_of(contract, &t->shape, t->schedules), t->digest);
}

bool trial_holds(trial *t, const draft *changed)
{
    tti_schedule *originals[TRIAL_RANKS], *instead = draft_schedule(changed);
    note(t, originals);
    put(t, instead);
    const bool proved = tti_checker_prove(t->checker, t->collective, &t->shape, t->schedules);
    EXPECT(proved || tti_checker_why(t->checker)[0] != '\0');
    EXPECT(proved || !has_digest(t)); /* or a sweep would take the one for the other */
    put_back(t, originals);
    tti_schedule_free(instead);
    return proved;
}

bool trial_runs(trial *t, const draft *changed)
{
    tti_schedule *originals[TRIAL_RANKS], *instead = draft_schedule(changed);
    note(t, originals);
    put(t, instead);
    const machine_job job = {t->collective, &t->shape, t->schedules};
    const bool right = machine_right(&job, t->runs, (uint64_t)t->at * TRIAL_RANKS + (uint64_t)t->rank);
    put_back(t, originals);
    tti_schedule_free(instead);
    return right;
}

static bool is_implied(const trial *t, const draft *changed)
{
    if (t->mutation != MUTATION_UNTIE) return false;
    draft original = draft_of(trial_schedule(t, t->rank));
    const draft_edge dropped = original.edges[t->at];
    draft_free(&original);
    return draft_leads(changed, dropped.before, dropped.after);
}

enum verdict trial_judge(trial *t, const draft *changed)
{
    const bool implied = is_implied(t, changed), holds = trial_holds(t, changed);
    if (implied) EXPECT(holds);
    if (implied) return VERDICT_IMPLIED;
    if (!holds) return VERDICT_CAUGHT;
    return trial_runs(t, changed) ? VERDICT_SAME : VERDICT_MISSED;
}

void trial_report(const trial *t)
{
    fprintf(stderr,
            "%s %s: %s, at %d of rank %d of %d, is not noticed (count %zu, radix %d, root %d, window %zu, "
            "%scommuting, %sin place)\n",
            tti_collective_describe(t->collective)->name, t->algorithm->name, mutation_name(t->mutation),
            t->at, t->rank, t->shape.size, t->shape.count, t->shape.radix, t->shape.root, t->shape.window,
            t->shape.commutes ? "" : "not ", t->shape.in_place ? "" : "not ");
}

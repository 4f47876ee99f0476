/* SPDX-License-Identifier: BSD-3-Clause */
/* Breaks proved schedules in every way at every place, one at a time, and expects the checker to notice each.
 * A dropped dependency that others imply changes nothing, nor does one that a barrier can do without: there
 * the proof must still hold. So it may where steps are ordered that share no bytes, to bound how many
 * messages are under way. proof_mutants [--reduced]: fewer sizes. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/schedule/checker.h"
#include "tests/proof/layouts.h"
#include "tests/unit/expect.h"

#define MOST_RANKS 16

typedef struct {
    int before, after;
} edge;

/* A schedule in a form that is easy to change. */
typedef struct {
    tti_step *steps;
    edge *edges;
    int count, edge_count;
} draft;

typedef struct {
    tti_checker *checker;
    enum tti_collective collective;
    const tti_algorithm *algorithm;
    tti_shape shape;
    tti_schedule *schedules[MOST_RANKS];
    const char *what;
    int rank, step;
    long caught, equivalent;
} trial;

static draft draft_of(const tti_schedule *schedule)
{
    draft d = {.count = schedule->count};
    const int edges = schedule->next_start[schedule->count];
    d.steps = malloc(((size_t)schedule->count + 1) * sizeof *d.steps);
    d.edges = malloc(((size_t)edges * 2 + (size_t)schedule->count + 1) * sizeof *d.edges);
    EXPECT(d.steps != NULL && d.edges != NULL);
    memcpy(d.steps, schedule->steps, (size_t)schedule->count * sizeof *d.steps);
    for (int i = 0; i < schedule->count; i++)
        for (int n = schedule->next_start[i]; n < schedule->next_start[i + 1]; n++)
            d.edges[d.edge_count++] = (edge){i, schedule->next[n]};
    return d;
}

static void drop(draft *d)
{
    free(d->steps);
    free(d->edges);
}

/* The schedule of a draft, whose edges may be in any order. */
static tti_schedule *schedule_of(const draft *d, size_t scratch)
{
    tti_schedule *s = calloc(1, sizeof *s);
    EXPECT(s != NULL);
    const size_t count = (size_t)d->count;
    s->count = d->count;
    s->scratch = scratch;
    s->steps = malloc((count + 1) * sizeof *s->steps);
    s->waits = calloc(count + 1, sizeof *s->waits);
    s->next_start = calloc(count + 1, sizeof *s->next_start);
    s->next = malloc(((size_t)d->edge_count + 1) * sizeof *s->next);
    EXPECT(s->steps != NULL && s->waits != NULL && s->next_start != NULL && s->next != NULL);
    memcpy(s->steps, d->steps, count * sizeof *s->steps);
    int n = 0;
    for (int i = 0; i < d->count; i++) {
        s->next_start[i] = n;
        for (int e = 0; e < d->edge_count; e++) {
            if (d->edges[e].before != i) continue;
            s->next[n++] = d->edges[e].after;
            s->waits[d->edges[e].after]++;
        }
    }
    s->next_start[d->count] = n;
    return s;
}

/* Proves with rank t->rank's schedule replaced. */
static bool holds(trial *t, const draft *changed)
{
    tti_schedule *original = t->schedules[t->rank];
    tti_schedule *mutant = schedule_of(changed, original->scratch);
    t->schedules[t->rank] = mutant;
    const bool proved = tti_checker_prove(t->checker, t->collective, &t->shape, t->schedules);
    t->schedules[t->rank] = original;
    tti_schedule_free(mutant);
    return proved;
}

static void expect_caught(trial *t, const draft *changed)
{
    if (holds(t, changed)) {
        fprintf(stderr, "%s: %s at step %d of rank %d of %d is not noticed (count %zu, radix %d, root %d)\n",
                t->algorithm->name, t->what, t->step, t->rank, t->shape.size, t->shape.count, t->shape.radix,
                t->shape.root);
        exit(1);
    }
    EXPECT(tti_checker_why(t->checker)[0] != '\0');
    t->caught++;
}

static void without_step(trial *t, const tti_schedule *schedule)
{
    draft d = draft_of(schedule);
    t->what = "a dropped step";
    int kept = 0;
    for (int e = 0; e < d.edge_count; e++) {
        edge now = d.edges[e];
        if (now.before == t->step || now.after == t->step) continue;
        now.before -= now.before > t->step;
        now.after -= now.after > t->step;
        d.edges[kept++] = now;
    }
    d.edge_count = kept;
    memmove(&d.steps[t->step], &d.steps[t->step + 1], (size_t)(d.count - t->step - 1) * sizeof *d.steps);
    d.count--;
    expect_caught(t, &d);
    drop(&d);
}

/* A REDUCE done twice: once more right after itself, in order with all that it is in order with. */
static void twice(trial *t, const tti_schedule *schedule)
{
    if (schedule->steps[t->step].kind != TTI_STEP_REDUCE) return;
    draft d = draft_of(schedule);
    t->what = "a reduction done twice";
    d.steps = realloc(d.steps, ((size_t)d.count + 1) * sizeof *d.steps);
    EXPECT(d.steps != NULL);
    memmove(&d.steps[t->step + 1], &d.steps[t->step], (size_t)(d.count - t->step) * sizeof *d.steps);
    d.count++;
    for (int e = 0; e < d.edge_count; e++) {
        d.edges[e].before += d.edges[e].before >= t->step;
        d.edges[e].after += d.edges[e].after > t->step;
    }
    d.edges[d.edge_count++] = (edge){t->step, t->step + 1};
    expect_caught(t, &d);
    drop(&d);
}

static void changed_step(trial *t, const tti_schedule *schedule, const char *what, tti_step changed)
{
    draft d = draft_of(schedule);
    t->what = what;
    d.steps[t->step] = changed;
    expect_caught(t, &d);
    drop(&d);
}

static void changed_fields(trial *t, const tti_schedule *schedule)
{
    const tti_step original = schedule->steps[t->step];
    const size_t element = t->shape.element;
    tti_step now = original;
    const bool message = original.kind == TTI_STEP_SEND || original.kind == TTI_STEP_RECV;
    if (message && t->shape.size > 2) {
        do
            now.peer = (now.peer + 1) % t->shape.size;
        while (now.peer == t->rank);
        changed_step(t, schedule, "a wrong peer", now);
        now = original;
    }
    if (message) {
        now.tag++;
        changed_step(t, schedule, "a wrong tag", now);
        now = original;
    }
    if (original.bytes == 0) return;
    now.bytes -= element;
    changed_step(t, schedule, "a wrong size", now);
    now = original;
    if (original.kind != TTI_STEP_RECV) {
        now.from += element;
        changed_step(t, schedule, "a wrong source offset", now);
        now = original;
    }
    if (original.kind == TTI_STEP_SEND) return;
    now.to += element;
    changed_step(t, schedule, "a wrong target offset", now);
}

/* Two reductions into the same place take their sources in the wrong order. */
static void swapped_order(trial *t, const tti_schedule *schedule)
{
    if (t->shape.commutes || t->step + 1 >= schedule->count) return;
    const tti_step *a = &schedule->steps[t->step], *b = a + 1;
    if (a->kind != TTI_STEP_REDUCE || b->kind != TTI_STEP_REDUCE || a->to != b->to) return;
    draft d = draft_of(schedule);
    t->what = "a wrong order of reduction";
    /* Each waits for the other's source as well, so that it is the order alone that is wrong. */
    const int edges = d.edge_count;
    for (int e = 0; e < edges; e++)
        if (d.edges[e].after == t->step + 1 && d.edges[e].before < t->step) d.edges[e].after = t->step;
    d.steps[t->step].from_space = b->from_space;
    d.steps[t->step].from = b->from;
    d.steps[t->step + 1].from_space = a->from_space;
    d.steps[t->step + 1].from = a->from;
    expect_caught(t, &d);
    drop(&d);
}

static bool leads_to(const draft *d, int from, int to)
{
    bool reached[1024] = {false};
    EXPECT(d->count <= 1024);
    reached[from] = true;
    for (int step = from; step <= to; step++)
        for (int e = 0; reached[step] && e < d->edge_count; e++)
            if (d->edges[e].before == step) reached[d->edges[e].after] = true;
    return reached[to];
}

/* Executes a barrier of which rank `late` never enters, with sends that complete at once, until nothing
 * moves; true if some other rank gets to its end. Knows nothing of the checker's ways. */
static bool somebody_leaves(const trial *t, const draft drafts[], int late)
{
    bool done[MOST_RANKS][64] = {{false}};
    for (bool moved = true; moved;) {
        moved = false;
        for (int r = 0; r < t->shape.size; r++)
            for (int i = 0; r != late && i < drafts[r].count; i++) {
                const tti_step *step = &drafts[r].steps[i];
                bool ready = !done[r][i];
                for (int e = 0; e < drafts[r].edge_count; e++)
                    if (drafts[r].edges[e].after == i) ready = ready && done[r][drafts[r].edges[e].before];
                bool sent = step->kind == TTI_STEP_SEND;
                for (int j = 0; !sent && j < drafts[step->peer].count; j++) {
                    const tti_step *other = &drafts[step->peer].steps[j];
                    sent = done[step->peer][j] && other->kind == TTI_STEP_SEND && other->peer == r &&
                           other->tag == step->tag;
                }
                if (!ready || !sent) continue;
                done[r][i] = moved = true;
            }
    }
    for (int r = 0; r < t->shape.size; r++) {
        int left = drafts[r].count;
        for (int i = 0; i < drafts[r].count; i++)
            left -= done[r][i];
        if (r != late && left == 0) return true;
    }
    return false;
}

/* Whether the ranks' schedules, `changed` in place of t->rank's, are a barrier. */
static bool is_barrier(const trial *t, const draft *changed)
{
    draft drafts[MOST_RANKS];
    bool broken = false;
    for (int r = 0; r < t->shape.size; r++)
        drafts[r] = r == t->rank ? *changed : draft_of(t->schedules[r]);
    for (int late = 0; late < t->shape.size; late++)
        broken = broken || somebody_leaves(t, drafts, late);
    for (int r = 0; r < t->shape.size; r++)
        if (r != t->rank) drop(&drafts[r]);
    return !broken;
}

/* Whether the steps of an edge touch the same bytes of their rank, one of them writing. */
static bool shares_bytes(const draft *d, edge e)
{
    const tti_step *steps[] = {&d->steps[e.before], &d->steps[e.after]};
    for (int i = 0; i < 2; i++) {
        const tti_step *writer = steps[i], *other = steps[1 - i];
        if (writer->kind == TTI_STEP_SEND) continue;
        const size_t end = writer->to + writer->bytes;
        if (other->kind != TTI_STEP_RECV && other->from_space == writer->to_space && other->from < end &&
            writer->to < other->from + other->bytes)
            return true;
        if (other->kind != TTI_STEP_SEND && other->to_space == writer->to_space && other->to < end &&
            writer->to < other->to + other->bytes)
            return true;
    }
    return false;
}

static void without_edges(trial *t, const tti_schedule *schedule)
{
    const bool meets = tti_collective_describe(t->collective)->meets;
    draft d = draft_of(schedule);
    t->what = "a dropped dependency";
    d.edge_count--;
    for (int e = 0; e <= d.edge_count; e++) {
        const edge dropped = d.edges[e];
        d.edges[e] = d.edges[d.edge_count];
        t->step = dropped.after;
        const bool implied = leads_to(&d, dropped.before, dropped.after);
        if (implied || (meets && is_barrier(t, &d))) {
            EXPECT(holds(t, &d));
            t->equivalent++;
        } else if (!meets && !shares_bytes(&d, dropped) && holds(t, &d)) {
            t->equivalent++;
        } else {
            expect_caught(t, &d);
        }
        d.edges[d.edge_count] = d.edges[e];
        d.edges[e] = dropped;
    }
    drop(&d);
}

static void mutate(trial *t)
{
    for (int r = 0; r < t->shape.size; r++) {
        const tti_shape own = tti_checker_shape(t->collective, &t->shape, r);
        EXPECT(tti_algorithm_build(t->algorithm, &own, &t->schedules[r]) == 0);
    }
    EXPECT(tti_checker_prove(t->checker, t->collective, &t->shape, t->schedules));
    for (t->rank = 0; t->rank < t->shape.size; t->rank++) {
        const tti_schedule *schedule = t->schedules[t->rank];
        for (t->step = 0; t->step < schedule->count; t->step++) {
            without_step(t, schedule);
            twice(t, schedule);
            changed_fields(t, schedule);
            swapped_order(t, schedule);
        }
        if (schedule->count > 0) without_edges(t, schedule);
    }
    for (int r = 0; r < t->shape.size; r++)
        tti_schedule_free(t->schedules[r]);
}

static void mutate_shapes(trial *t, bool reduced)
{
    const tti_contract *contract = tti_collective_describe(t->collective);
    static const struct {
        int size, radix;
        size_t count;
    } shapes[] = {{2, 2, 3}, {3, 3, 7}, {4, 2, 9}, {8, 2, 16}, {9, 3, 11}, {16, 4, 33}};
    const size_t count = reduced ? 3 : sizeof shapes / sizeof shapes[0];
    for (size_t i = 0; i < count; i++)
        for (int variant = 0; variant < 4; variant++) {
            t->shape = (tti_shape){.size = shapes[i].size,
                                   .root = contract->rooted ? shapes[i].size - 1 : 0,
                                   .count = contract->counted ? shapes[i].count : 0,
                                   .element = contract->reduces ? 12 : 1,
                                   .commutes = (variant & 1) != 0,
                                   .in_place = (variant & 2) != 0,
                                   .radix = shapes[i].radix,
                                   .chunk = 4};
            if (!contract->sends && variant > 0) continue;
            if (!t->shape.commutes && (t->algorithm->wants & TTI_NEEDS_COMMUTING) != 0) continue;
            tti_node_map *map = layout_make(LAYOUT_PAIRS, t->shape.size);
            t->shape.nodes = map;
            mutate(t);
            tti_node_map_free(map);
        }
}

int main(int argc, char **argv)
{
    const bool reduced = argc > 1 && strcmp(argv[1], "--reduced") == 0;
    trial t = {.checker = tti_checker_open()};
    EXPECT(t.checker != NULL);
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const tti_contract *contract = tti_collective_describe((enum tti_collective)c);
        for (int a = 0; a < contract->count; a++) {
            t.collective = (enum tti_collective)c;
            t.algorithm = &contract->algorithms[a];
            t.caught = t.equivalent = 0;
            mutate_shapes(&t, reduced);
            printf("%-9s %-14s %6ld mutants caught, %5ld equivalent\n", contract->name, t.algorithm->name,
                   t.caught, t.equivalent);
            EXPECT(t.caught > 0);
        }
    }
    tti_checker_close(t.checker);
    return 0;
}

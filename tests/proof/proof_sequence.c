/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves sequences of operations on shared memory, longer than there are windows: each algorithm that needs
 * WINDOW, of all ranks or of those of each node, time after time, one schedule. Operation n uses window n mod
 * their number, and may begin when every rank that shares it has ended operation n less that number. Where
 * WINDOW has a front, of which there are more, a rank that writes nothing behind it may begin as much
 * earlier. Here this rule of the executor's (execute/windows.h) is made of posts and awaits: a rank posts the
 * end of each operation, and awaits the others' ends before it uses a window again.
 *
 * What reads in buffers is left out: it uses no WINDOW, and nobody ends before its readers have read. What is
 * PUT where a number says (gatherv put) goes into the same room time after time; the numbers, which the proof
 * takes from the schedules (check_target.c), have SCRATCH of each operation's own.
 *
 * Without the rule, and with one window, most of them must fail, so that it is the rule that the proof rests
 * on; an allreduce all of whose ranks wait for each other's results orders the next one by itself. */
#include <stdlib.h>
#include <string.h>

#include "collectives/proof/checker.h"
#include "tests/proof/draft.h"
#include "tests/proof/layouts.h"
#include "tests/proof/tables.h"
#include "tests/unit/expect.h"

#define MOST_RANKS 5
#define MOST_RANKS_ON_NODES 8
/* Between two ranks at most so many messages in an operation. */
#define MOST_MESSAGES 1000
#define MOST_WINDOWS 3

typedef struct {
    enum tti_collective collective;
    const tti_algorithm *algorithm;
    tti_shape shape;
    tti_schedule *once[MOST_RANKS_ON_NODES + 1]; /* behind the ranks' that of the last to come, or NULL */
    size_t stride;                               /* from window to window, of which fronts follow the last */
    int windows, operations;
    bool by_rule;
} sequence;

/* One rank's schedule under way. */
typedef struct {
    const sequence *all;
    int rank, operation;
    draft made;
    int gate;          /* what the operation's first steps come after, or -1 */
    int *first, *last; /* [once[rank]->count] where its steps are in `made`: an AWAIT of all is several */
} writing;

/* The number of a rank's post, in the sequence; END is the end of the operation, and 0 that of the one
 * before, when it begins. */
#define END (-1)
static int number_of(const writing *w, int operation, int rank, int post)
{
    const int posts = w->all->once[rank]->posts + 1;
    return operation * posts + (post == END ? posts : post);
}

/* Whether an AWAIT of the rank that names `named` is of posts of this one. */
static bool awaits(const writing *w, int named, int peer)
{
    const tti_shape *shape = &w->all->shape;
    if (peer == shape->size) return named == peer;
    return (named == TTI_ALL || named == peer) &&
           (w->rank == shape->size || tti_shape_shares(shape, w->rank, peer));
}

static void order(writing *w, int before, int after)
{
    if (before >= 0) w->made.edges[w->made.edge_count++] = (draft_edge){before, after};
}

static int add(writing *w, tti_step step)
{
    w->made.steps[w->made.count] = step;
    return w->made.count++;
}

/* AWAITs one after the other, of post `post` of each rank that `named` is (in operation `operation`). */
static void add_awaits(writing *w, int named, int operation, int post, int where[2])
{
    where[0] = where[1] = -1;
    for (int peer = 0; peer <= w->all->shape.size; peer++) {
        if (!awaits(w, named, peer)) continue;
        const int number = number_of(w, operation, peer, post);
        const int step = add(w, (tti_step){.kind = TTI_STEP_AWAIT, .peer = peer, .tag = number});
        order(w, where[1], step);
        if (where[0] < 0) where[0] = step;
        where[1] = step;
    }
}

/* A message's tag: both ends know how many of those between them in this direction have lower ones. */
static int message_of(const writing *w, const tti_step *step)
{
    const tti_schedule *once = w->all->once[w->rank];
    int number = 0;
    for (int i = 0; i < once->count; i++) {
        const tti_step *other = &once->steps[i];
        number += other->kind == step->kind && other->peer == step->peer && other->tag < step->tag;
    }
    EXPECT(number < MOST_MESSAGES);
    return w->operation * MOST_MESSAGES + number;
}

/* How many there are of what a rank writes to. */
#define FRONTS_MORE 2
static int windows_of(const sequence *all, int rank)
{
    const bool ahead = all->shape.front > 0 && all->once[rank]->window <= all->shape.front;
    return all->windows + (ahead ? FRONTS_MORE : 0);
}
static size_t room_of(const sequence *all)
{
    return (size_t)all->windows * all->stride + (size_t)(all->windows + FRONTS_MORE) * all->shape.front;
}

/* Where a byte of the operation's WINDOW is. */
static size_t place_of(const writing *w, size_t offset)
{
    const sequence *all = w->all;
    const size_t front = all->shape.front, turn = (size_t)(w->operation % (all->windows + FRONTS_MORE));
    if (offset < front) return (size_t)all->windows * all->stride + turn * front + offset;
    return (size_t)(w->operation % all->windows) * all->stride + offset;
}

static void add_step(writing *w, int index)
{
    const sequence *all = w->all;
    tti_step step = all->once[w->rank]->steps[index];
    int where[2];
    if (step.kind == TTI_STEP_AWAIT) {
        add_awaits(w, step.peer, w->operation, step.tag, where);
        w->first[index] = where[0];
        w->last[index] = where[1];
        return;
    }
    if (step.kind == TTI_STEP_POST) step.tag = number_of(w, w->operation, w->rank, step.tag);
    if (tti_step_is_message(&step)) step.tag = message_of(w, &step);
    const size_t scratch = (size_t)w->operation * all->once[w->rank]->scratch;
    if (step.from_space == TTI_WINDOW) step.from = place_of(w, step.from);
    if (step.to_space == TTI_WINDOW) step.to = place_of(w, step.to);
    if (step.from_space == TTI_SCRATCH) step.from += scratch;
    if (step.to_space == TTI_SCRATCH) step.to += scratch;
    w->first[index] = w->last[index] = add(w, step);
}

/* The beginning of an operation: the window is free. The last to come takes part when all have begun. */
static void add_gate(writing *w)
{
    int where[2];
    if (!w->all->by_rule || w->rank == w->all->shape.size) return;
    const int windows = windows_of(w->all, w->rank);
    if (w->operation < windows) return;
    add_awaits(w, TTI_ALL, w->operation - windows, END, where);
    if (where[0] < 0) return; /* alone on its node */
    order(w, w->gate, where[0]);
    w->gate = where[1];
}

static void add_operation(writing *w)
{
    const tti_schedule *once = w->all->once[w->rank];
    add_gate(w);
    for (int i = 0; i < once->count; i++) {
        add_step(w, i);
        if (once->waits[i] == 0) order(w, w->gate, w->first[i]);
    }
    for (int i = 0; i < once->count; i++)
        for (int n = once->next_start[i]; n < once->next_start[i + 1]; n++)
            order(w, w->last[i], w->first[once->next[n]]);
    const int number = number_of(w, w->operation, w->rank, END);
    const int end = add(w, (tti_step){.kind = TTI_STEP_POST, .peer = TTI_ALL, .tag = number});
    for (int i = 0; i < once->count; i++)
        order(w, w->last[i], end);
    if (once->count == 0) order(w, w->gate, end);
    w->gate = end;
}

static tti_schedule *schedule_of(const sequence *all, int rank)
{
    const tti_schedule *once = all->once[rank];
    const size_t count = (size_t)once->count, size = (size_t)all->shape.size,
                 operations = (size_t)all->operations, steps = operations * (count + 1) * (size + 2),
                 edges = 2 * steps + operations * (size_t)once->next_start[once->count];
    writing w = {.all = all, .rank = rank, .gate = -1};
    /* Who shows buffers uses no WINDOW. */
    w.made = (draft){.scratch = once->scratch * operations,
                     .window = tti_schedule_shows(once) ? 0 : room_of(all),
                     .element = once->element,
                     .steps = calloc(steps, sizeof(tti_step)),
                     .edges = calloc(edges, sizeof(draft_edge))};
    memcpy(w.made.shown, once->shown, sizeof w.made.shown);
    w.first = calloc(2 * count + 1, sizeof(int));
    draft_take_needs(&w.made, once);
    EXPECT(w.made.steps != NULL && w.made.edges != NULL && w.first != NULL);
    w.last = w.first + count;
    for (w.operation = 0; w.operation < all->operations; w.operation++)
        add_operation(&w);
    tti_schedule *made = draft_schedule(&w.made);
    draft_free(&w.made);
    free(w.first);
    return made;
}

static bool holds(tti_checker *checker, const sequence *all)
{
    tti_schedule *schedules[MOST_RANKS_ON_NODES];
    tti_shape shape = all->shape;
    shape.window = room_of(all);
    shape.front = 0; /* where it lies here is known */
    for (int r = 0; r < shape.size; r++) {
        schedules[r] = schedule_of(all, r);
        if (all->once[shape.size] != NULL) schedules[r]->last = schedule_of(all, shape.size);
    }
    const bool proved = tti_checker_prove_steps(checker, all->collective, &shape, schedules);
    for (int r = 0; r < shape.size; r++)
        tti_schedule_free(schedules[r]);
    return proved;
}

static void build(sequence *all)
{
    all->stride = 64;
    for (int r = 0; r < all->shape.size; r++) {
        const tti_shape own = tti_checker_shape(all->collective, &all->shape, r);
        EXPECT(tti_algorithm_build(all->algorithm, &own, &all->once[r]) == 0);
    }
    all->once[all->shape.size] = all->once[0]->last;
    for (int r = 0; r <= all->shape.size; r++)
        if (all->once[r] != NULL && all->once[r]->window > all->stride) all->stride = all->once[r]->window;
}

static void release(sequence *all)
{
    for (int r = 0; r < all->shape.size; r++)
        tti_schedule_free(all->once[r]);
}

/* Returns whether it rests on the rule. */
static bool prove(tti_checker *checker, sequence *all)
{
    build(all);
    for (all->windows = 1; all->windows <= MOST_WINDOWS; all->windows++) {
        all->operations = 2 * (all->windows + (all->shape.front > 0 ? FRONTS_MORE : 0)) + 1;
        all->by_rule = true;
        if (!holds(checker, all)) {
            fprintf(stderr, "%s: %d ranks, count %zu, %d windows: %s\n", all->algorithm->name,
                    all->shape.size, all->shape.count, all->windows, tti_checker_why(checker));
            exit(1);
        }
    }
    all->windows = 1;
    all->by_rule = false;
    const bool rests = !holds(checker, all);
    release(all);
    return rests;
}

/* One block, and several. */
static int prove_call(tti_checker *checker, enum tti_collective collective, const tti_algorithm *algorithm,
                      int size, const tti_node_map *map)
{
    static const size_t bytes[] = {12, 264};
    const tti_contract *contract = tti_collective_describe(collective);
    const size_t element = contract->reduces ? 12 : 1;
    const bool groups = (algorithm->wants & TTI_NEEDS_GROUPS) != 0;
    int rest = 0;
    for (int b = 0; b < 2; b++) {
        sequence all = {.collective = collective, .algorithm = algorithm};
        all.shape = (tti_shape){.size = size,
                                .root = contract->rooted ? size / 2 : 0,
                                .count = contract->counted ? bytes[b] / element : 0,
                                .element = element,
                                .commutes = map != NULL,
                                .radix = 2,
                                .chunk = map != NULL ? 64 : 300,
                                .nodes = groups ? NULL : map,
                                .groups = groups ? map : NULL,
                                .window = 256,
                                .beside = size % 2 == 0 ? 48 : 0};
        const bool ahead = contract->rooted && !tti_contract_sized(contract) && map == NULL;
        all.shape.front = ahead && b > 0 ? 128 : 0;
        /* So much for each rank, where it is divided among them. */
        if ((algorithm->wants & (TTI_SHARES_WINDOW | TTI_TAKES_LEADERS)) != 0)
            all.shape.window *= (size_t)(size + 1) / 2;
        tables_give(contract, &all.shape);
        rest += prove(checker, &all);
        tables_free(&all.shape);
    }
    return rest;
}

/* Returns of how many calls the proof rests on the rule. */
static int prove_calls(tti_checker *checker, enum tti_collective collective, const tti_algorithm *algorithm)
{
    static const struct {
        int size;
        enum layout layout;
    } layouts[] = {{4, LAYOUT_PAIRS}, {5, LAYOUT_DEALT}, {MOST_RANKS_ON_NODES, LAYOUT_GROWING}};
    const bool groups = (algorithm->wants & TTI_NEEDS_GROUPS) != 0;
    const bool lie = groups || (algorithm->wants & TTI_TAKES_WINDOW) != 0;
    int rest = 0;
    if (!groups && (algorithm->wants & TTI_NEEDS_WINDOW) != 0)
        for (int size = 2; size <= MOST_RANKS; size++)
            rest += prove_call(checker, collective, algorithm, size, NULL);
    for (int i = 0; lie && i < 3; i++) {
        tti_node_map *map = layout_make(layouts[i].layout, layouts[i].size);
        rest += prove_call(checker, collective, algorithm, layouts[i].size, map);
        tti_node_map_free(map);
    }
    return rest;
}

int main(void)
{
    tti_checker *checker = tti_checker_open();
    EXPECT(checker != NULL);
    int rest = 0;
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const tti_contract *contract = tti_collective_describe((enum tti_collective)c);
        for (int a = 0; a < contract->count; a++) {
            const tti_algorithm *algorithm = &contract->algorithms[a];
            if ((algorithm->wants & (TTI_NEEDS_WINDOW | TTI_TAKES_WINDOW)) == 0) continue;
            if ((algorithm->wants & TTI_NEEDS_REACH) != 0) continue;
            const int of_it = prove_calls(checker, (enum tti_collective)c, algorithm);
            printf("%-9s %-14s %2d calls rest on the rule\n", contract->name, algorithm->name, of_it);
            rest += of_it;
        }
    }
    EXPECT(rest > 0);
    tti_checker_close(checker);
    return 0;
}

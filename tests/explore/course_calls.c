/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/course_calls.h"

#include <string.h>

#include "tests/unit/expect.h"
#include "tutti/collectives.h"

#define ROOT 0

typedef struct {
    const course_call *call;
    int index, size, rank;
} view;

/* Element `i` of what a rank gives in that call, of what it has for the rank `to` there. */
static uint64_t element(const view *v, int rank, int to, size_t i)
{
    return (uint64_t)v->index * 1000000 + (uint64_t)rank * 100000 + (uint64_t)to * 10000 + i + 1;
}

/* Some parts are long, some short. */
static size_t part_count(const view *v, int a, int b)
{
    return (a + b + v->index) % 2 == 0 ? v->call->count : 1;
}

static bool reduces(const view *v)
{
    return v->call->collective == TTI_ALLREDUCE || v->call->collective == TTI_REDUCE;
}

static bool gathers(const view *v)
{
    return v->call->collective == TTI_ALLGATHER || v->call->collective == TTI_GATHER;
}

/* Whether the root alone has what comes of it. */
static bool ends_at_root(const view *v)
{
    return v->call->collective == TTI_REDUCE || v->call->collective == TTI_GATHER;
}

static void give_parts(const view *v, course_part *p)
{
    size_t in = 0, out = 0;
    for (int r = 0; r < v->size; r++) {
        p->counts[r] = part_count(v, v->rank, r);
        for (size_t i = 0; i < p->counts[r]; i++) {
            p->input[in++] = element(v, v->rank, r, i);
            p->after[out++] = element(v, r, v->rank, i);
        }
    }
    EXPECT(in <= COURSE_WORDS);
}

/* What is reduced, gathered, or the root's alone. */
static void give_blocks(const view *v, course_part *p)
{
    const bool bcast = v->call->collective == TTI_BCAST;
    const size_t count = v->call->count;
    EXPECT(count * (size_t)(gathers(v) ? v->size : 1) <= COURSE_WORDS);
    for (int r = 0; r < v->size; r++)
        for (size_t i = 0; i < count; i++) {
            const uint64_t value = element(v, r, 0, i);
            if (r == v->rank) p->input[i] = value;
            if (gathers(v)) p->after[(size_t)r * count + i] = value;
            if (reduces(v)) p->after[i] += value;
            if (bcast && r == ROOT) p->after[i] = value;
        }
    if (bcast && v->rank == ROOT) memcpy(p->before, p->after, sizeof p->before);
    if (ends_at_root(v) && v->rank != ROOT) memset(p->after, 0, sizeof p->after);
}

static tti_shape shape_of(const view *v, const course_part *p, const tti_windows *windows)
{
    const bool parted = v->call->collective == TTI_ALLTOALLV;
    tti_shape shape = {.rank = v->rank,
                       .size = v->size,
                       .root = ROOT,
                       .count = parted ? 0 : v->call->count,
                       .element = sizeof(uint64_t),
                       .commutes = true,
                       .radix = 2,
                       .chunk = COURSE_WORDS * sizeof(uint64_t),
                       .window = tti_node_window_bytes(windows->node, v->call->kind),
                       .parted = parted};
    if (v->call->kind == TTI_NODE_WINDOW_PARTS) shape.beside = TTI_NODE_WINDOW_BESIDE;
    if (parted) shape.send.counts = shape.recv.counts = p->counts;
    return shape;
}

static void build(course_part *p, const course_call *call, const char *name, tti_schedule **schedule)
{
    const tti_algorithm *algorithm = tti_algorithm_find(call->collective, name, strlen(name));
    EXPECT(algorithm != NULL && tti_algorithm_build(algorithm, &p->plan.shape, schedule) == 0);
    EXPECT((*schedule)->window <= p->plan.shape.window && (*schedule)->scratch == 0);
    if ((algorithm->wants & TTI_NEEDS_REACH) != 0) p->plan.reaches = true;
}

static void make_plan(course_part *p, const course_call *call, int index)
{
    tti_plan *plan = &p->plan;
    plan->collective = call->collective;
    plan->window_kind = call->kind;
    plan->mark = 1000 + (uint64_t)index;
    plan->marked_type = p->data.type;
    plan->marked_op = p->data.op;
    plan->copies_pay = true;
    build(p, call, call->algorithm, &plan->schedule);
    if (call->reaching == NULL) return;
    build(p, call, call->reaching, &plan->reaching);
    plan->deciders = tti_schedule_deciders(plan->reaching);
}

int course_calls_count(const course_call *calls, int most)
{
    int count = 0;
    while (count < most && calls[count].algorithm != NULL)
        count++;
    return count;
}

void course_part_open(course_part *p, const course_call *call, int index, tti_windows *windows)
{
    const view v = {call, index, windows->size, windows->rank};
    memset(p, 0, sizeof *p);
    if (call->collective == TTI_ALLTOALLV)
        give_parts(&v, p);
    else
        give_blocks(&v, p);
    p->data = (tti_run_data){p->input, p->output, TUTTI_INT64, reduces(&v) ? TUTTI_SUM : NULL};
    p->plan.shape = shape_of(&v, p, windows);
    p->plan.windows = windows;
    make_plan(p, call, index);
}

void course_part_close(course_part *p)
{
    tti_schedule_free(p->plan.schedule);
    tti_schedule_free(p->plan.reaching);
}

void course_part_spoil(course_part *p)
{
    memset(p->input, 0xff, sizeof p->input);
    memset(p->output, 0xff, sizeof p->output);
}

bool course_part_is_spoiled(const course_part *p)
{
    bool spoiled = true;
    for (int i = 0; i < COURSE_WORDS; i++)
        spoiled = spoiled && p->output[i] == UINT64_MAX;
    return spoiled;
}

void course_part_begin(course_part *p)
{
    memcpy(p->output, p->before, sizeof p->output);
}

void course_part_expect(const course_part *p)
{
    for (int i = 0; i < COURSE_WORDS; i++)
        RUN_EXPECT(p->output[i] == p->after[i]);
}

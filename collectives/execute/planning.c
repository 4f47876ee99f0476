/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/planning.h"

#include <stdlib.h>
#include <unistd.h>

#include "collectives/execute/comm_cache.h"
#include "collectives/execute/plan_window.h"
#include "collectives/execute/run.h"
#include "collectives/select/select.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/node/view.h"
#include "runtime/progress/sharing.h"

TTI_HOT tti_plan *tti_plan_last(const tutti_comm *comm, enum tti_collective collective,
                                const tti_shape *shape)
{
    const tti_comm_cache *c = comm->collectives;
    return c != NULL ? tti_plans_last(&c->plans, collective, shape) : NULL;
}

static void take_choice(tti_shape *shape, const tti_choice *choice)
{
    shape->radix = choice->radix;
    shape->chunk = choice->chunk;
    shape->leaders = choice->leaders;
}

/* Whether a kernel's copy of what a rank reads pays: each says so for itself. In place of windows it does not
 * for ranks that take turns on a core, where a block that several read stays in its cache; what one neighbour
 * reads, once, is judged by its size alone. The kernel copies messages, too: in place of these it pays where
 * they are so long, and saves that they are announced; of two ranks only up to where both copy a message. In
 * place of windows two ranks weigh it in each call (run_show.c), and more need not where the table has it for
 * a machine whose kernel is quick, `once`. */
static void weigh_copies(tti_plan *plan, const tti_algorithm *usual, bool once)
{
    const tti_crossings *ways = tti_node_crossings(plan->windows->node);
    const size_t bytes = tti_shape_bytes(&plan->shape), size = (size_t)plan->shape.size;
    const bool message = !tti_algorithm_on_windows(usual);
    plan->weighs_copies = size == 2 && !message;
    if (size == 2)
        plan->copies_pay =
            bytes >= ways->single[tti_collective_describe(plan->collective)->crossing] && bytes < ways->help;
    else if (message)
        plan->copies_pay = bytes >= ways->fetch;
    else if (once)
        plan->copies_pay = true;
    else if (plan->shape.neighbours != NULL)
        plan->copies_pay = bytes > ways->single_part;
    else
        plan->copies_pay = !tti_sharing_by_binding() && bytes / size > ways->single_part;
}

/* Whether both of two ranks should copy: as with messages, but the other is known to wait. */
static bool both_copy(const tti_plan *plan)
{
    return plan->windows != NULL && plan->shape.size == 2 &&
           tti_shape_bytes(&plan->shape) > tti_node_crossings(plan->windows->node)->help / 2;
}

/* Whether all of the node's ranks together touch more than their caches have room for. Then a line that is
 * written had better not be fetched first, nor take the place of one that is still to be read: 8 ranks on two
 * processors of 16 MiB each gather 8 parts of 512 KiB in 0.65 of the time, exchange 256 KiB in 0.8. */
static bool goes_past(const tti_plan *plan)
{
    if (plan->windows == NULL) return false;
    const tti_figures *figures = &tti_node_crossings(plan->windows->node)->figures;
    const size_t touched = tti_schedule_touches(plan->schedule);
    const int ranks = plan->windows->size;
    if (touched < tti_crossing_kept(figures, ranks, 1)) return false;
    return touched >= tti_crossing_kept(figures, ranks, (int)sysconf(_SC_NPROCESSORS_ONLN));
}

static const tti_stencil *offsets(const tti_shape *shape)
{
    return shape->neighbours != NULL ? shape->neighbours->stencil : NULL;
}

/* Less passes through windows where parts differ: announcing a message takes a while. */
#define MESSAGE_LEAST ((size_t)24 << 10)

/* From where on one of two ranks had better send a message: once the kernel copies it, if it does so for all
 * that do not go at once, else once both copy a half. Others pass through shared memory as well, and take
 * twice as long as a window: 64 KiB both ways 14 us and 6, of far processors. What passes along several edges
 * is in a window once. */
static size_t message_least(const tti_crossings *ways, enum tti_crossing_collective crossing)
{
    if (ways->fetch <= TTI_CROSSING_EAGER_MOST) return TTI_CROSSING_EAGER_MOST;
    if (ways->forced) return ways->fetch;
    const size_t least = ways->fetch > ways->help / 2 ? ways->fetch : ways->help / 2;
    const size_t edges = crossing == TTI_CROSSING_EDGES ? ways->single[crossing] : 0;
    return edges > least ? edges : least;
}

/* From where on a part whose size two ranks alone know had better be a message: these two must agree, so it
 * follows from what the node has measured, the same for all its ranks. */
static size_t message_from(const tti_plan *plan, const tti_comm_cache *c)
{
    if (!plan->shape.parted || plan->windows == NULL || c->nodes != NULL) return 0;
    const tti_crossings *ways = tti_node_crossings(plan->windows->node);
    if (plan->shape.size == 2)
        return message_least(ways, tti_collective_describe(plan->collective)->crossing);
    const bool long_part = !ways->quick && ways->single_part > MESSAGE_LEAST;
    return long_part ? ways->single_part : MESSAGE_LEAST;
}

/* Where the kernel's copy pays from so much on, or never, both ways take about as long while all is cached. A
 * size that the user gives counts. */
#define TWICE_LEAST ((size_t)1 << 20)

/* Whether what passes through a window had better do so at every size: the kernel copies page by page, and
 * what no cache holds half as fast as a processor does. */
static bool copies_twice(const tti_plan *plan, const tti_comm_cache *c)
{
    if (plan->windows == NULL || !c->crowded) return false;
    const tti_crossings *ways = tti_node_crossings(plan->windows->node);
    return ways->single_part >= (ways->forced ? TTI_CROSSING_NEVER : TWICE_LEAST);
}

/* Without reach: that is asked once more. */
static tti_question question_of(const tti_plan *plan, const tti_comm_cache *c)
{
    const tti_shape *shape = &plan->shape;
    const bool window = plan->windows != NULL && plan->windows->size == shape->size;
    return (tti_question){.size = shape->size,
                          .bytes = tti_shape_bytes(shape),
                          .commutes = shape->commutes,
                          .by_node = c->nodes != NULL,
                          .window = window,
                          .crowded = c->crowded,
                          .groups = c->groups != NULL,
                          .both = both_copy(plan),
                          .offsets = offsets(shape) != NULL,
                          .twice = copies_twice(plan, c),
                          .stencil = offsets(shape) != NULL && tti_stencil_combines(offsets(shape)),
                          .once = window && tti_node_crossings(plan->windows->node)->quick,
                          .message = message_from(plan, c)};
}

/* Where ranks turn out to be able to read in each other's buffers, another algorithm may be the better one:
 * both are built, and all ranks choose alike when they have begun (run_window.c). */
static int build_schedules(tti_plan *plan, const tti_comm_cache *c)
{
    tti_shape *shape = &plan->shape;
    tti_question question = question_of(plan, c);
    const tti_choice usual = tti_select(plan->collective, &question);
    question.reach = question.window;
    const tti_choice other = tti_select(plan->collective, &question);
    const bool two = other.algorithm != usual.algorithm;
    take_choice(shape, &usual);
    shape->nodes = c->nodes;
    shape->groups = c->groups;
    plan->reaches = (other.algorithm->wants & TTI_NEEDS_REACH) != 0;
    if (plan->reaches) weigh_copies(plan, usual.algorithm, other.once);
    tti_plan_choose_window(plan, usual.algorithm);
    const int code = tti_algorithm_build(usual.algorithm, shape, &plan->schedule);
    if (code < 0) return code;
    plan->past = goes_past(plan);
    plan->reaches = plan->reaches || tti_schedule_reaches(plan->schedule);
    if (!two) return 0;
    tti_shape of_other = *shape;
    take_choice(&of_other, &other);
    const int made = tti_algorithm_build(other.algorithm, &of_other, &plan->reaching);
    if (made == 0) plan->deciders = tti_schedule_deciders(plan->reaching);
    return made;
}

/* The caller's tables are the caller's when the call has returned. */
static bool keep_tables(tti_shape *shape)
{
    const tti_table recv = shape->recv;
    shape->recv = (tti_table){0};
    if (!tti_table_keep(&shape->send, tti_shape_parts_sent(shape))) return false;
    shape->recv = recv;
    return tti_table_keep(&shape->recv, tti_shape_parts_received(shape));
}

static int build(tutti_comm *comm, const tti_comm_cache *c, enum tti_collective collective,
                 const tti_shape *shape, tti_plan **made)
{
    tti_plan *plan = malloc(sizeof *plan);
    if (plan == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a collective's plan");
    *plan = (tti_plan){.collective = collective, .shape = *shape, .references = 1};
    int code = keep_tables(&plan->shape)
                   ? tti_plan_find_windows(comm, plan, c->crowded)
                   : tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the parts of %d ranks", shape->size);
    if (code == 0) code = build_schedules(plan, c);
    if (code < 0) {
        tti_plan_release(plan);
        return code;
    }
    plan->run_bytes = tti_run_bytes(plan);
    *made = plan;
    return 0;
}

int tti_plan_get(tutti_comm *comm, enum tti_collective collective, const tti_shape *shape, tti_plan **plan)
{
    tti_comm_cache *c = tti_comm_cache_get(comm);
    if (c == NULL) return TUTTI_ERR_NO_MEMORY;
    *plan = tti_plans_find(&c->plans, collective, shape);
    const bool is_new = *plan == NULL;
    const int code = is_new ? build(comm, c, collective, shape, plan) : 0;
    if (code < 0) return code;
    (*plan)->references++;
    if (is_new) tti_plans_keep(&c->plans, *plan);
    return 0;
}

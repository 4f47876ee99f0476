/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls of one shape on a communicator have in common. Under the lock. */
#ifndef TTI_EXECUTE_PLAN_H
#define TTI_EXECUTE_PLAN_H

#include "collectives/contract/contract.h"
#include "collectives/execute/windows.h"
#include "runtime/base/copy.h"
#include "runtime/base/past.h"
#include "runtime/node/node_windows.h"

/* The lines of fewer bytes are too few to make up for waiting until they are written. */
#define TTI_PLAN_PAST_LEAST ((size_t)2 << 10)

struct tti_run;

/* A schedule and what executes it. */
typedef struct {
    enum tti_collective collective;
    tti_shape shape;
    tti_schedule *schedule;
    tti_schedule *reaching; /* taken in the place of `schedule` where all ranks can read in what it shows;
                               NULL: there is no choice */
    bool reaches;           /* one of the two reads in others' buffers */
    int deciders;       /* whose beginning decides between them: a rank, TTI_ALL, TTI_OWN: this one's alone */
    bool copies_pay;    /* the kernel's copies, where a schedule reads in others' buffers */
    bool weighs_copies; /* of two ranks: in each call, by how near they are then */
    bool past; /* what it copies to OUTPUT goes past the caches, which have no room for all that it touches */
    tti_windows *windows; /* of the communicator, which it uses; NULL: it passes messages alone */
    enum tti_node_window_kind window_kind;
    uint64_t mark;             /* of the last call on windows (tti_run_mark()), never 0 */
    tutti_type marked_type;    /* of the call that `mark` was made of */
    const tutti_op *marked_op; /* likewise */
    int references;            /* of who keeps it, and of each run */
    bool straight;             /* all blocking calls of the user's go straight by it (straight.h) */
    struct tti_run *spare;     /* a run at rest, kept for the next call */
    size_t run_bytes;          /* of that, or another one, but for its scratch memory */
    void (*free_spare)(struct tti_run *spare);
} tti_plan;

/* That which may read in others' buffers. */
static inline const tti_schedule *tti_plan_reaching(const tti_plan *plan)
{
    return plan->reaching != NULL ? plan->reaching : plan->schedule;
}

/* The scratch memory of a run of it, in bytes. */
static inline size_t tti_plan_scratch(const tti_plan *plan)
{
    const size_t other = tti_plan_reaching(plan)->scratch;
    return plan->schedule->scratch > other ? plan->schedule->scratch : other;
}

/* memcpy() into one of the caller's buffers. */
static inline void tti_plan_copy_out(const tti_plan *plan, void *to, const void *from, size_t bytes)
{
    if (plan->past && bytes >= TTI_PLAN_PAST_LEAST)
        tti_copy_past(to, from, bytes);
    else
        tti_copy_short(to, from, bytes);
}

/* Frees the run at rest, if there is one. */
void tti_plan_free_spare(tti_plan *plan);
bool tti_plan_has_parts(const tti_plan *plan, const tti_shape *shape);
/* Whether it is the plan for that call: by what the caller gives of a shape; the rest follows from it. */
static inline bool tti_plan_fits(const tti_plan *plan, enum tti_collective collective, const tti_shape *shape)
{
    return plan->collective == collective && plan->shape.count == shape->count &&
           plan->shape.element == shape->element && plan->shape.root == shape->root &&
           plan->shape.commutes == shape->commutes && plan->shape.in_place == shape->in_place &&
           (!shape->parted || tti_plan_has_parts(plan, shape));
}
/* What it takes of memory, with a run at rest, but for the scratch memory of that (tti_plans_trim()). */
size_t tti_plan_bytes(const tti_plan *plan);
void tti_plan_release(tti_plan *plan);

#endif

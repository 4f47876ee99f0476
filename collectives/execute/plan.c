/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/plan.h"

#include <stdlib.h>

void tti_plan_release(tti_plan *plan)
{
    if (--plan->references > 0) return;
    if (plan->spare != NULL) plan->free_spare(plan->spare);
    tti_schedule_free(plan->schedule);
    tti_schedule_free(plan->reaching);
    tti_table_free(&plan->shape.send);
    tti_table_free(&plan->shape.recv);
    free(plan);
}

static bool same_parts(const tti_shape *kept, const tti_shape *shape)
{
    return kept->own == shape->own &&
           tti_table_same(&kept->send, &shape->send, tti_shape_parts_sent(shape)) &&
           tti_table_same(&kept->recv, &shape->recv, tti_shape_parts_received(shape));
}

/* What the caller gives of a shape; the rest follows from it. */
bool tti_plan_fits(const tti_plan *plan, enum tti_collective collective, const tti_shape *shape)
{
    return plan->collective == collective && plan->shape.count == shape->count &&
           plan->shape.element == shape->element && plan->shape.root == shape->root &&
           plan->shape.commutes == shape->commutes && plan->shape.in_place == shape->in_place &&
           (!shape->parted || same_parts(&plan->shape, shape));
}

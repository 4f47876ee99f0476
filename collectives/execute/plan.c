/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/plan.h"

#include <stdlib.h>

void tti_plan_free_spare(tti_plan *plan)
{
    if (plan->spare != NULL) plan->free_spare(plan->spare);
    plan->spare = NULL;
}

size_t tti_plan_bytes(const tti_plan *plan)
{
    const tti_shape *shape = &plan->shape;
    const int sent = shape->send.counts != NULL ? tti_shape_parts_sent(shape) : 0,
              received = shape->recv.counts != NULL ? tti_shape_parts_received(shape) : 0;
    return sizeof *plan + plan->run_bytes + tti_schedule_bytes(plan->schedule) +
           tti_schedule_bytes(plan->reaching) + ((size_t)sent + (size_t)received) * 2 * sizeof(size_t);
}

void tti_plan_release(tti_plan *plan)
{
    if (--plan->references > 0) return;
    tti_plan_free_spare(plan);
    tti_schedule_free(plan->schedule);
    tti_schedule_free(plan->reaching);
    tti_table_free(&plan->shape.send);
    tti_table_free(&plan->shape.recv);
    free(plan);
}

bool tti_plan_has_parts(const tti_plan *plan, const tti_shape *shape)
{
    const tti_shape *kept = &plan->shape;
    return kept->own == shape->own &&
           tti_table_same(&kept->send, &shape->send, tti_shape_parts_sent(shape)) &&
           tti_table_same(&kept->recv, &shape->recv, tti_shape_parts_received(shape));
}

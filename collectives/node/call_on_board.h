/* SPDX-License-Identifier: BSD-3-Clause */
/* Which blocking calls run straight on shared memory. */
#ifndef TTI_COLLECTIVES_CALL_ON_BOARD_H
#define TTI_COLLECTIVES_CALL_ON_BOARD_H

#include "collectives/calls/by_schedule.h"
#include "collectives/node/node_collectives.h"

/* For the contracts' on_board. */
static inline tti_reduction tti_call_reduction(const tti_call *call)
{
    return (tti_reduction){call->shape.in_place ? NULL : call->data.input,
                           call->data.output,
                           call->shape.count,
                           call->shape.element,
                           call->data.type,
                           call->data.op};
}

/* Executes the call if it is one of a communicator that is all on this node, and no rule of the user's names
 * an algorithm for it: true, and its result. Otherwise false, at all ranks. The first call of a communicator
 * makes its board. */
bool tti_call_on_board(const tti_call *call, int *result);

#endif

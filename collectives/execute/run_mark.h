/* SPDX-License-Identifier: BSD-3-Clause */
/* Which call a rank makes, as it shows the others on shared memory. Under the lock. */
#ifndef TTI_EXECUTE_RUN_MARK_H
#define TTI_EXECUTE_RUN_MARK_H

#include "collectives/contract/call_record.h"
#include "collectives/execute/plan.h"
#include "collectives/execute/windows.h"

/* Buffers and operation of a call. */
typedef struct {
    const void *input;
    void *output;
    tutti_type type;
    tutti_op *op; /* NULL where nothing is reduced */
} tti_run_data;

/* Three bits of a mark in which ranks may differ: in what ways the rank's buffers can be reached (shown.h),
 * and whether it has finished all operations before (windows.h). */
#define TTI_MARK_SIZE_BITS 37
#define TTI_MARK_REACH (UINT64_C(3) << TTI_MARK_SIZE_BITS)
#define TTI_MARK_THROUGH (UINT64_C(4) << TTI_MARK_SIZE_BITS)
#define TTI_MARK_OWN (TTI_MARK_REACH | TTI_MARK_THROUGH)

/* By what others see on windows which call this is; the plan keeps that of the last call. */
uint64_t tti_run_make_mark(tti_plan *plan, const tti_run_data *data);
static inline uint64_t tti_run_mark(tti_plan *plan, const tti_run_data *data)
{
    const bool kept = plan->mark != 0 && plan->marked_op == data->op && plan->marked_type == data->type;
    return kept ? plan->mark : tti_run_make_mark(plan, data);
}

/* Blocking calls on the communicator are parts of the public function of that number from now on (0: are
 * none), and told as that; returns what was before. */
uint8_t tti_run_within(tutti_comm *comm, uint8_t function);
/* What the program called, for people. */
tti_call_record tti_run_record(const tti_windows *windows, const tti_plan *plan, const tti_run_data *data,
                               enum tti_call_form form);
/* Tells the others on the node, before a window shows the mark, that it is the communicator's call of that
 * number; what a rank that shows one has told, or as much as the mark tells. */
void tti_run_tell_call(tti_windows *windows, const tti_plan *plan, const tti_run_data *data,
                       enum tti_call_form form, uint64_t mark);
static inline void tti_run_tell(tti_windows *windows, const tti_plan *plan, const tti_run_data *data,
                                enum tti_call_form form, uint64_t mark, uint32_t number)
{
    if (windows->told != mark || windows->told_form != form)
        tti_run_tell_call(windows, plan, data, form, mark);
    tti_windows_number(windows, number);
}
tti_call_record tti_run_told(const tti_windows *windows, int place, uint64_t mark);

#endif

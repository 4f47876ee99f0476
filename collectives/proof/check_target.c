/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a step has its target. Of a PUT that goes by a number: its own SCRATCH has it from a message, whose
 * sender has told it in its SCRATCH. So it stands in the schedules, before anything is executed; that it is
 * there when the PUT takes it, check_value.c finds. */
#include "collectives/proof/checker_state.h"

/* The message that brings a word of a rank's SCRATCH: its RECV; -1: none, or more than one. */
static int bringer_of(const tti_checker *checker, int rank, size_t word)
{
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    int found = -1;
    for (int i = 0; i < schedule->count; i++) {
        const tti_step *step = &schedule->steps[i];
        if (step->kind != TTI_STEP_RECV || step->to_space != TTI_SCRATCH || step->to > word) continue;
        if (word - step->to + TTI_STEP_WORD > step->bytes) continue;
        if (found >= 0) return -1;
        found = checker->first[rank] + i;
    }
    return found;
}

/* What a rank tells there; TTI_CHECK_UNTOLD: nothing, or more than one number. */
static size_t told_at(const tti_checker *checker, int rank, size_t word)
{
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    size_t found = TTI_CHECK_UNTOLD;
    for (int i = 0; i < schedule->count; i++) {
        const tti_step *step = &schedule->steps[i];
        if (step->kind != TTI_STEP_TELL || step->to_space != TTI_SCRATCH || step->to != word) continue;
        if (found != TTI_CHECK_UNTOLD) return TTI_CHECK_UNTOLD;
        found = step->from;
    }
    return found;
}

size_t tti_check_told(const tti_checker *checker, int rank, const tti_step *step)
{
    const int brings = bringer_of(checker, rank, step->to);
    if (brings < 0) return TTI_CHECK_UNTOLD;
    const int sends = checker->partner[brings];
    const tti_step *from = tti_check_global(checker, sends), *to = tti_check_global(checker, brings);
    if (from->from_space != TTI_SCRATCH) return TTI_CHECK_UNTOLD;
    return told_at(checker, checker->owner[sends], from->from + (step->to - to->to));
}

tti_end tti_check_target(const tti_checker *checker, int rank, const tti_step *step)
{
    if (step->kind != TTI_STEP_PUT) return (tti_end){rank, {(enum tti_space)step->to_space, step->to}};
    tti_end end = tti_check_reached(checker, step);
    if (tti_step_is_told(step)) end.place.offset += tti_check_told(checker, rank, step);
    return end;
}

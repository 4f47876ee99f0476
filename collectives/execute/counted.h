/* SPDX-License-Identifier: BSD-3-Clause */
/* Meetings by counting (schedule.h): who comes last makes the steps of one more rank. Under the lock. */
#ifndef TTI_EXECUTE_COUNTED_H
#define TTI_EXECUTE_COUNTED_H

#include "collectives/execute/run.h"
#include "collectives/execute/windows.h"

typedef struct {
    const tti_windows *windows;
    const tti_windows_use *use;
    const tti_schedule *last;
    const tti_run_data *data;
    uint64_t mark;
} tti_counted;

/* This rank comes to the meeting, the `time`th time in the operation. Where the ranks' calls differ nobody
 * makes the steps: who waits for them finds out. */
void tti_counted_come(const tti_counted *meeting, int time);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/schedule/schedule.h"

#include <stdlib.h>

/* Everything of fixed length is one piece of memory: calls whose parts differ each time make a schedule each.
 */
tti_schedule *tti_schedule_make(int count, int edges)
{
    const size_t steps = (size_t)count * sizeof(tti_step), ints = 2 * (size_t)count + 1 + (size_t)edges;
    tti_schedule *schedule = malloc(sizeof *schedule + steps + ints * sizeof(int));
    if (schedule == NULL) return NULL;
    *schedule = (tti_schedule){.count = count, .steps = (tti_step *)(void *)(schedule + 1)};
    schedule->waits = (int *)(void *)(schedule->steps + count);
    schedule->next_start = schedule->waits + count;
    schedule->next = schedule->next_start + count + 1;
    memset(schedule->waits, 0, (2 * (size_t)count + 1) * sizeof *schedule->waits);
    return schedule;
}

size_t tti_schedule_bytes(const tti_schedule *schedule)
{
    if (schedule == NULL) return 0;
    const size_t count = (size_t)schedule->count, edges = (size_t)schedule->next_start[count];
    return sizeof *schedule + count * sizeof *schedule->steps + (2 * count + 1 + edges) * sizeof(int) +
           (size_t)schedule->need_count * sizeof *schedule->needs + tti_schedule_bytes(schedule->last);
}

void tti_schedule_free(tti_schedule *schedule)
{
    if (schedule == NULL) return;
    tti_schedule_free(schedule->last);
    free(schedule->needs);
    free(schedule);
}

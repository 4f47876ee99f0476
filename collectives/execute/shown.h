/* SPDX-License-Identifier: BSD-3-Clause */
/* How a byte of another rank's buffers is reached on a node: where it is mapped (memory of
 * tutti_mem_alloc()), by the kernel's copy, and else by messages (run_reach.c). A rank shows where its
 * buffers are in the first line of its window, before it shows that it has begun. Under the lock. */
#ifndef TTI_EXECUTE_SHOWN_H
#define TTI_EXECUTE_SHOWN_H

#include "collectives/execute/windows.h"

/* A buffer: its address for its rank, and its place in memory that others can map (id 0: it is not there). */
typedef struct {
    uint64_t address, id, offset;
} tti_shown_buffer;
/* What a window's data begin with; schedules that show buffers put nothing else there. */
typedef struct {
    tti_shown_buffer of[TTI_SHOWN];
} tti_shown_line;

/* What can be done at a rank, of all that it shows and reads. What all can is agreed by an AND of these. */
enum {
    TTI_REACH_MAPPED = 1, /* others can map what it shows */
    TTI_REACH_COPIED = 2, /* the kernel copies between it and all others, and that pays */
    TTI_REACH_ALL = 3
};

static inline tti_shown_line *tti_shown_line_at(const tti_windows *windows, int place,
                                                const tti_windows_use *use)
{
    return (tti_shown_line *)(void *)tti_windows_at(windows, place, use)->data;
}
/* Writes down where the buffers are that the schedule shows of these spaces. Whether all can be mapped. */
bool tti_shown_fill(tti_shown_line *line, const tti_schedule *schedule, char *const spaces[]);
/* Whether the kernel copies from all others' memory. */
bool tti_shown_copies(const tti_windows *windows);
/* A buffer of the rank at that place, shown as INPUT or OUTPUT (`as`), as it is here: mapped at first use,
 * and kept until the place shows another one or the windows close. NULL where it cannot be mapped. */
char *tti_shown_map(tti_windows *windows, int place, int as, const tti_shown_buffer *buffer);
/* That rank, by its index on the node, is gone: gives the mappings of its buffers back, of whichever windows.
 */
void tti_shown_forget(int peer);
/* Gives all mappings back. */
void tti_shown_close(tti_windows *windows);

#endif

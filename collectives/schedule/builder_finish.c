/* SPDX-License-Identifier: BSD-3-Clause */
/* From the list of steps to the schedule. */
#include <string.h>

#include "collectives/schedule/builder_state.h"
#include "runtime/base/status.h"

static bool failed(const tti_builder *builder)
{
    bool any = builder->out_of_memory;
    for (int s = 0; s < TTI_SPACES; s++)
        any = any || builder->spaces[s].failed;
    return any;
}

/* Turns the predecessor lists into counts and successor lists. */
static void link_steps(const tti_builder *builder, tti_schedule *schedule)
{
    const int count = builder->count;
    int *start = schedule->next_start;
    for (int i = 0; i < builder->before_count; i++)
        start[builder->before[i] + 1]++;
    for (int i = 0; i < count; i++)
        start[i + 1] += start[i];
    int *fill = builder->seen; /* no longer needed: now the next free place of each list */
    memcpy(fill, start, (size_t)count * sizeof *fill);
    for (int step = 0; step < count; step++) {
        const int end = step + 1 < count ? builder->before_start[step + 1] : builder->before_count;
        schedule->waits[step] = end - builder->before_start[step];
        for (int i = builder->before_start[step]; i < end; i++)
            schedule->next[fill[builder->before[i]]++] = step;
    }
}

static tti_schedule *make(tti_builder *builder)
{
    const size_t count = (size_t)builder->count;
    tti_schedule *schedule = tti_schedule_make(builder->count, builder->before_count);
    if (schedule == NULL) return NULL;
    schedule->scratch = builder->scratch;
    schedule->window = builder->window;
    schedule->posts = builder->posts;
    schedule->element = builder->element;
    memcpy(schedule->shown, builder->shown, sizeof schedule->shown);
    schedule->needs = builder->needs;
    schedule->need_count = builder->need_count;
    builder->needs = NULL;
    if (count == 0) return schedule;
    memcpy(schedule->steps, builder->steps, count * sizeof *schedule->steps);
    for (size_t i = 0; i < count; i++)
        schedule->messages += tti_step_is_message(&builder->steps[i]);
    link_steps(builder, schedule);
    return schedule;
}

int tti_build_finish(tti_builder *builder, tti_schedule **schedule)
{
    const bool too_large = builder->tag_too_large;
    const int count = builder->count;
    tti_schedule *made = failed(builder) ? NULL : make(builder);
    tti_build_close(builder);
    if (too_large) {
        tti_schedule_free(made);
        return tti_fail(TUTTI_ERR_LIMIT,
                        "a collective's algorithm needs more than %d messages between two ranks, or of "
                        "what only two of them know, or %d blocks of shared memory; choose another one or a "
                        "larger chunk",
                        TTI_BUILD_TAGS, TTI_STEP_POSTS);
    }
    if (made == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a collective's schedule of %d steps", count);
    *schedule = made;
    return 0;
}
